import { expect, test } from 'vitest';
import { lifeOf, type Living } from './life.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const CAMPAIGN = {
  id: '1',
  name: 'Spring',
  status: 'ACTIVE',
  version: 1,
  startsAt: null,
  endsAt: null,
  advertiser: null,
} as const;
const lifeNow = (over: Partial<Living>) =>
  lifeOf({ status: 'ACTIVE', startsAt: '2026-11-01T00:00:00Z', endsAt: '2026-12-31T00:00:00Z', ...over }, NOW);
const standing = (reason: NonNullable<NonNullable<Living['standing']>['reason']>) => ({
  tab: null,
  reason,
  movedAt: null,
  atRisk: '0',
});

test.each<[string, Partial<Living>]>([
  ['ACTIVE', {}],
  ['ACTIVE', { campaign: CAMPAIGN, standing: standing('AT_RISK') }],
  ['FLIGHT_OVER', { endsAt: '2026-11-30T12:00:00Z' }],
  ['FLIGHT_OVER', { status: 'PAUSED', endsAt: '2026-11-30T12:00:00Z' }],
  ['FLIGHT_OVER', { campaign: { ...CAMPAIGN, endsAt: '2026-11-02T00:00:00Z' } }],
  ['NOT_BEGUN', { startsAt: '2026-12-01T00:00:00Z' }],
  ['CAMPAIGN_STOPPED', { campaign: { ...CAMPAIGN, status: 'PAUSED' } }],
  ['PAUSED', { status: 'PAUSED', campaign: { ...CAMPAIGN, status: 'PAUSED' } }],
  ['NO_CREATIVE', { campaign: CAMPAIGN, standing: standing('NO_CREATIVE') }],
  ['REVIEW_PENDING', { campaign: CAMPAIGN, standing: standing('REVIEW_PENDING') }],
  ['REVIEW_REJECTED', { campaign: CAMPAIGN, standing: standing('REVIEW_REJECTED') }],
  ['QUIET', { campaign: CAMPAIGN, standing: standing('QUIET') }],
  ['DRAFT', { status: 'DRAFT', startsAt: '2026-12-01T00:00:00Z' }],
  ['COMPLETED', { status: 'COMPLETED', endsAt: '2026-11-02T00:00:00Z' }],
])('a booking is shown as %s: %j', (life, over) => {
  expect(lifeNow(over)).toBe(life);
});
