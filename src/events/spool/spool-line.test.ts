import { expect, test } from 'vitest';
import {
  decodeSpoolLine,
  encodeSpoolLine,
  readEntries,
  rowsOf,
  rowText,
  splitRows,
  writeSharedIncrements,
} from './spool-line.ts';
import type { Claim } from './spool-line.ts';

const increments = ['d/1/li/7/imp/all', 'd/1/ca/"8"/imp/2026-01-01', 'half \ud800'].map((key, at) => ({
  key,
  by: BigInt(at - 1),
  ttlMs: 1_000 + at,
}));
const claim: Claim = {
  key: 'e/id:imp',
  ttlMs: 5,
  increments,
  pushes: [{ key: 'list', value: '["ä",1]', max: 8, ttlMs: 9 }],
};

test('a claim that shares increments is written as one that lists all of them itself', () => {
  const plain = encodeSpoolLine({ event_id: 'id:imp' }, claim);
  for (const count of [0, 1, 2, 3]) {
    const shared = writeSharedIncrements(increments.slice(0, count));
    const joined = { ...claim, shared, increments: increments.slice(count) };
    expect(encodeSpoolLine({ event_id: 'id:imp' }, joined).equals(plain)).toBe(true);
  }
  const read = decodeSpoolLine(plain.toString('utf8').trimEnd());
  expect(read?.claim?.increments.map(({ key }) => key)).toEqual([
    ...increments.slice(0, 2).map(({ key }) => key),
    'half \ufffd',
  ]);
});

test('a line holds several rows under one claim, and each can become a line without a claim', () => {
  const more = [{ event_id: 'id/1\t' }, { event_id: 'id/2' }].map(rowText);
  const [entry] = readEntries(encodeSpoolLine({ event_id: 'id' }, claim, more));
  const bytes = entry?.bytes ?? Buffer.alloc(0);
  expect(rowsOf(bytes).map(String)).toEqual(['["id"]', ...more]);
  expect(decodeSpoolLine(bytes.toString('utf8'))).toMatchObject({ claim: { key: claim.key }, row: '["id"]', more });
  const split = entry === undefined ? [] : splitRows(entry);
  expect(split.map((one) => decodeSpoolLine(one.bytes.toString('utf8')))).toEqual(
    ['["id"]', ...more].map((row) => ({ claim: null, row, more: [] })),
  );
});
