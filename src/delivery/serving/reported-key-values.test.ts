import { expect, test } from 'vitest';
import { NO_KEY_VALUES, REPORT_KEYS_MAX } from '../../domain/targeting/key-value.ts';
import { OTHER_VALUE, ReportedValues } from './reported-key-values.ts';

const keys = [
  { id: '5', key: 'section' },
  { id: '6', key: 'mood' },
];
const nowMs = Date.parse('2026-11-20T10:00:00Z');
const carrying = (entries: Record<string, string[]>) => ({
  workspaceId: 1,
  keyValues: new Map(Object.entries(entries)),
});

test.each([
  ['one value of a reported key', { section: ['sport'] }, { '5': 'sport' }],
  ['several values, as one', { section: ['tennis', 'sport', 'tennis'] }, { '5': 'sport,tennis' }],
  ['long values, cut to whole characters', { mood: ['ż'.repeat(30)] }, { '6': 'ż'.repeat(20) }],
  ['both keys', { mood: ['glad'], section: ['sport'] }, { '5': 'sport', '6': 'glad' }],
])('the report has %s', (_title, entries, expected) => {
  expect(new ReportedValues().of(keys, carrying(entries), nowMs)).toEqual(expected);
});

test('the report leaves out other keys, empty values, and networks without reported keys', () => {
  const values = new ReportedValues();
  expect(values.of(keys, carrying({ colour: ['red'], mood: [''] }), nowMs)).toBe(NO_KEY_VALUES);
  expect(values.of([], carrying({ section: ['sport'] }), nowMs)).toBe(NO_KEY_VALUES);
});

test('a report lists a thousand values of a key separately on a day, for each network and key', () => {
  const values = new ReportedValues();
  const reported = (value: string, atMs = nowMs, workspaceId = 1) =>
    values.of(keys, { ...carrying({ section: [value] }), workspaceId }, atMs)['5'];
  for (let at = 0; at < 1_000; at += 1) expect(reported(`v${at}`)).toBe(`v${at}`);
  expect(reported('new')).toBe(OTHER_VALUE);
  expect(reported('v7')).toBe('v7');
  expect(reported('new', nowMs, 2)).toBe('new');
  expect(reported('new', nowMs + 86_400_000)).toBe('new');
});

test('a report has at most the allowed number of keys', () => {
  const many = Array.from({ length: REPORT_KEYS_MAX + 3 }, (_one, index) => ({
    id: String(index + 1),
    key: `k${index}`,
  }));
  const entries = Object.fromEntries(many.map(({ key }) => [key, ['x']]));
  expect(Object.keys(new ReportedValues().of(many, carrying(entries), nowMs))).toHaveLength(REPORT_KEYS_MAX);
});
