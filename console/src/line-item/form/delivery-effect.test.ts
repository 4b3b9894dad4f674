import { beforeAll, expect, test } from 'vitest';
import type { LineItemSettings } from '../../api/bookings/line-item-settings.ts';
import { AREA_NAMES } from '../../messages/areas.ts';
import { loadAreas } from '../../messages/language.ts';
import { type EffectFacts, neededOf, sayEffects } from './delivery-effect.ts';
import { forecastOf } from './item-forecast.ts';

const NOW_MS = Date.parse('2026-11-10T00:00:00Z');
const BEFORE = {
  startsAt: '2026-11-01T00:00:00Z',
  endsAt: '2026-11-20T00:00:00Z',
  goal: { amount: 10_000, kind: 'IMPRESSIONS', period: 'LIFETIME' },
  pauseAfterGoal: true,
  targeting: null,
  sharePercent: null,
  dealId: null,
} as unknown as LineItemSettings;

beforeAll(() => loadAreas(AREA_NAMES));

function effects(next: Partial<LineItemSettings>, more: Partial<EffectFacts> = {}): readonly string[] {
  return sayEffects({
    before: BEFORE,
    after: { ...BEFORE, ...next },
    changed: Object.keys(next) as EffectFacts['changed'],
    status: 'ACTIVE',
    campaign: null,
    delivered: 4_000,
    likely: { before: null, after: null },
    nowMs: NOW_MS,
    zone: 'UTC',
    ...more,
  });
}
const goal = (amount: number): Partial<LineItemSettings> => ({
  goal: { amount, kind: 'IMPRESSIONS', period: 'LIFETIME' },
});

test('settings for people change nothing in delivery', () => {
  expect(effects({ name: 'Other', notes: 'x' })).toEqual(['Nothing: no decision looks at these settings.']);
  expect(effects({ name: 'Other', level: 3 })).not.toContain('Nothing: no decision looks at these settings.');
});

test('a higher goal raises the missing units a day', () => {
  expect(effects(goal(14_000))).toEqual(['To reach its goal it needs 1,000 a day instead of 600.']);
});

test('a goal below what was delivered ends it', () => {
  expect(effects(goal(3_000))).toEqual([
    'It stops at once: it has delivered 4,000, and the goal is 3,000.',
    'To reach its goal it needs 0 a day instead of 600.',
  ]);
  expect(effects({ ...goal(3_000), pauseAfterGoal: false })[0]).not.toMatch(/stops/);
});

test('a flight that ends, waits or begins by the change is told first', () => {
  expect(effects({ endsAt: '2026-11-09T00:00:00Z' })[0]).toMatch(/^It stops as soon as this is saved/);
  expect(effects({ startsAt: '2026-11-15T00:00:00Z' })[0]).toBe('It stops until Nov 15, 2026, 12:00 AM.');
  const over = { ...BEFORE, endsAt: '2026-11-09T00:00:00Z' };
  expect(effects({ endsAt: '2026-11-20T00:00:00Z' }, { before: over })[0]).toMatch(/^It begins to serve/);
});

test('a campaign that is over leaves a longer flight without effect', () => {
  const campaign = { startsAt: null, endsAt: '2026-11-09T00:00:00Z' } as EffectFacts['campaign'];
  expect(effects({ endsAt: '2026-11-30T00:00:00Z' }, { campaign })).toEqual([
    'The next decisions follow it. The forecast cannot tell a difference.',
  ]);
});

test('a paused line item is changed for later', () => {
  expect(effects({ endsAt: '2026-11-09T00:00:00Z' }, { status: 'PAUSED' })[0]).toMatch(/^It does not serve at present/);
});

test('both forecasts are compared, and a difference within their error is none', () => {
  const told = (before: number, after: number) => effects({ level: 3 }, { likely: { before, after } });
  expect(told(8_000, 10_000)).toEqual(['Likely 10,000 impressions from now to its end instead of 8,000: 2,000 more.']);
  expect(told(10_000, 8_000)[0]).toMatch(/2,000 fewer/);
  expect(told(10_000, 10_050)[0]).toMatch(/^The forecast stays as it is/);
});

test('units of another kind of goal are not known', () => {
  const facts = { before: BEFORE, delivered: 4_000, campaign: null, nowMs: NOW_MS } as EffectFacts;
  expect(neededOf({ ...BEFORE, goal: { amount: 100, kind: 'CLICKS', period: 'LIFETIME' } }, facts)).toBeNull();
  expect(neededOf({ ...BEFORE, goal: { amount: 100, kind: 'CLICKS', period: 'DAY' } }, facts)).toBe(100);
});

test('a forecast begins now, for what is missing of the goal, and there is none of a flight that is over', () => {
  const at = { id: '7', delivered: 4_000, nowMs: NOW_MS };
  expect(forecastOf(BEFORE, at)).toMatchObject({
    lineItemId: '7',
    startsAt: '2026-11-10T00:00:00.000Z',
    endsAt: '2026-11-20T00:00:00.000Z',
    goal: { amount: 6_000 },
  });
  expect(forecastOf({ ...BEFORE, endsAt: '2026-11-09T00:00:00Z' }, at)).toBeNull();
  expect(forecastOf({ ...BEFORE, endsAt: null }, at)).toMatchObject({ endsAt: '2026-12-10T00:00:00.000Z' });
  expect(forecastOf({ ...BEFORE, endsAt: '2030-01-01T00:00:00Z' }, at)).toMatchObject({
    endsAt: '2027-11-10T00:00:00.000Z',
  });
});
