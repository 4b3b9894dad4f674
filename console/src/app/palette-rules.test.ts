import { expect, test } from 'vitest';
import { withRecent } from '../session/recent-objects.ts';
import { addressOf, isPossible, kindsOf, readTyped, recentFirst, reportFilter } from './palette-rules.ts';

const WORDS = { pause: 'Pause', resume: 'Resume', report: 'Report of' };

test('a verb in front of the text is read in any case, and a name that begins like it stays a name', () => {
  expect(readTyped('pause  Kite ', WORDS)).toEqual({ verb: 'pause', text: 'Kite' });
  expect(readTyped('report OF alder', WORDS)).toEqual({ verb: 'report', text: 'alder' });
  expect(readTyped('Pausenbrot', WORDS)).toEqual({ verb: null, text: 'Pausenbrot' });
  expect(readTyped('pause', WORDS)).toEqual({ verb: null, text: 'pause' });
});

test('a verb is offered where it does something', () => {
  expect(kindsOf('pause')).toEqual(['LINE_ITEM', 'CAMPAIGN']);
  expect(isPossible('pause', { kind: 'LINE_ITEM', status: 'ACTIVE' })).toBe(true);
  expect(isPossible('pause', { kind: 'LINE_ITEM', status: 'PAUSED' })).toBe(false);
  expect(isPossible('resume', { kind: 'CAMPAIGN', status: 'PAUSED' })).toBe(true);
  expect(isPossible('pause', { kind: 'SITE', status: 'ACTIVE' })).toBe(false);
  expect(isPossible('report', { kind: 'SITE', status: 'ACTIVE' })).toBe(true);
});

test('the report of an object is filtered by its id', () => {
  expect(reportFilter({ kind: 'CAMPAIGN', id: '7' })).toBe('campaign_id~equals~7');
  expect(reportFilter({ kind: 'FLOOR', id: '7' })).toBeNull();
});

test('objects that were opened last come first, the others in their order', () => {
  const hits = ['1', '2', '3', '4'].map((id) => ({ kind: 'LINE_ITEM', id }) as const);
  const recent = [
    { kind: 'LINE_ITEM', id: '3', name: '' },
    { kind: 'CAMPAIGN', id: '2', name: '' },
    { kind: 'LINE_ITEM', id: '4', name: '' },
  ] as const;
  expect(recentFirst(hits, recent).map(({ id }) => id)).toEqual(['3', '4', '1', '2']);
});

test('an opened object is kept once, in front, under its present name', () => {
  const kept = [
    { kind: 'SITE', id: '1', name: 'Old' },
    { kind: 'DEAL', id: '1', name: 'Deal' },
  ] as const;
  expect(withRecent(kept, { kind: 'DEAL', id: '1', name: 'New' }).map(({ name }) => name)).toEqual(['New', 'Old']);
});

test('an object has the address of its page, or of its list with the object open', () => {
  expect(addressOf({ kind: 'LINE_ITEM', id: '7' })).toEqual({ to: '/desk/line-items/7', search: {} });
  expect(addressOf({ kind: 'AD_UNIT', id: '7' })).toEqual({ to: '/desk/ad-units', search: { open: '7' } });
});
