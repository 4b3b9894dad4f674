import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attribute } from './attribution.ts';
import { makeServedAd } from '../fixtures/catalog.ts';
import { decodeTouch, encodeTouch, touchPushes } from '../tracking/touch.ts';
import type { Touch } from '../tracking/touch.ts';

const windows = { clickWindowSeconds: 100, viewWindowSeconds: 10, advertiserId: null, isCounted: () => true };
const nowMs = 1_000_000;
const sampleAd = makeServedAd(nowMs);

function touchAt(secondsAgo: number): Touch {
  return { timeMs: nowMs - secondsAgo * 1_000, ad: sampleAd };
}

/** A contact with the ads of another advertiser. */
function theirs(secondsAgo: number): Touch {
  return { timeMs: nowMs - secondsAgo * 1_000, ad: { ...sampleAd, advertiserId: '8' } };
}

/** A contact with the ads of another line item. */
function of(lineItemId: string, secondsAgo: number): Touch {
  return { timeMs: nowMs - secondsAgo * 1_000, ad: { ...sampleAd, lineItemId } };
}

const [near, older, oldest] = [touchAt(5), touchAt(50), touchAt(90)];

describe('attribution of an event', () => {
  test.each([
    ['no touch when the user has none', {}, null],
    [
      'the click it names, even when another is newer',
      { namedClick: older, clicks: [near] },
      { kind: 'click', touch: older },
    ],
    [
      "the user's last click when the named one is too old",
      { namedClick: touchAt(101), clicks: [older] },
      { kind: 'click', touch: older },
    ],
    [
      'the last of several clicks, whatever their order',
      { clicks: [oldest, near, older] },
      { kind: 'click', touch: near },
    ],
    [
      'a click rather than a newer impression',
      { clicks: [oldest], impressions: [near] },
      { kind: 'click', touch: oldest },
    ],
    [
      'the last impression when no click is within the window',
      { clicks: [touchAt(101)], impressions: [touchAt(9), near] },
      { kind: 'view', touch: near },
    ],
    ['no impression outside of its window', { impressions: [touchAt(11)] }, null],
    ['no touch that came after the event', { clicks: [touchAt(-1)], impressions: [touchAt(-1)] }, null],
  ])('the rule credits %s', (_title, touches, expected) => {
    expect(attribute({ namedClick: null, clicks: [], impressions: [], ...touches }, windows, nowMs)).toEqual(expected);
  });

  test.each([
    [
      'its own last click, not a newer one of another',
      { clicks: [near, theirs(50)] },
      { kind: 'click', touch: theirs(50) },
    ],
    [
      "its impression before another's click",
      { clicks: [near], impressions: [theirs(5)] },
      { kind: 'view', touch: theirs(5) },
    ],
    ['no click of another that the event names', { namedClick: near }, null],
    ['no touch of others', { clicks: [near], impressions: [near] }, null],
  ])('an activity of one advertiser credits %s', (_title, touches, expected) => {
    const rule = { ...windows, advertiserId: '8' };
    expect(attribute({ namedClick: null, clicks: [], impressions: [], ...touches }, rule, nowMs)).toEqual(expected);
  });

  test.each([
    ['an older click of a line item that counts it', { clicks: [near, of('22', 50)] }, 'click'],
    [
      'an impression of one that counts it before a click of one that does not',
      { namedClick: near, impressions: [of('22', 9)] },
      'view',
    ],
    ['nothing where no line item counts it', { namedClick: near, clicks: [near], impressions: [near] }, undefined],
  ])('an event credits %s', (_title, touches, kind) => {
    const rule = { ...windows, isCounted: (lineItemId: string) => lineItemId === '22' };
    const got = attribute({ namedClick: null, clicks: [], impressions: [], ...touches }, rule, nowMs);
    expect([got?.kind, got?.touch.ad.lineItemId]).toEqual([kind, kind && '22']);
  });

  test('a click counts exactly at the end of its window, and not a millisecond later', () => {
    const touch = touchAt(100);
    expect(attribute({ namedClick: null, clicks: [touch], impressions: [] }, windows, nowMs)?.touch).toBe(touch);
    expect(attribute({ namedClick: null, clicks: [touch], impressions: [] }, windows, nowMs + 1)).toBeNull();
  });

  test('the newest eligible touch wins, for any touches', () => {
    const seconds = fc.array(fc.integer({ min: -20, max: 150 }).map(touchAt), { maxLength: 8 });
    fc.assert(
      fc.property(seconds, seconds, (clicks, impressions) => {
        const got = attribute({ namedClick: null, clicks, impressions }, windows, nowMs);
        const ages = (touches: readonly Touch[], windowMs: number): number[] =>
          touches.map((one) => nowMs - one.timeMs).filter((age) => age >= 0 && age <= windowMs);
        const clickAge = Math.min(...ages(clicks, 100_000));
        const impressionAge = Math.min(...ages(impressions, 10_000));
        if (Number.isFinite(clickAge)) {
          expect([got?.kind, nowMs - (got?.touch.timeMs ?? 0)]).toEqual(['click', clickAge]);
        } else if (Number.isFinite(impressionAge)) {
          expect([got?.kind, nowMs - (got?.touch.timeMs ?? 0)]).toEqual(['view', impressionAge]);
        } else {
          expect(got).toBeNull();
        }
      }),
    );
  });
});

test('an advertiser with an activity of its own has touch lists that the ads of others do not fill', () => {
  const keysOf = (hasOwnActivity: boolean) =>
    touchPushes(makeServedAd(nowMs), { kind: 'view', timeMs: nowMs, hasOwnActivity }).map(({ key }) => key);
  expect(keysOf(false)).toEqual(['tv/1/00000000000000ff']);
  expect(keysOf(true)).toEqual(['tv/1/00000000000000ff', 'tv/1/00000000000000ff/7']);
});

test('a decoded touch has every field that a conversion takes over', () => {
  const served = makeServedAd(nowMs);
  const {
    workspaceId,
    decidedAtMs,
    userHash,
    householdHash,
    npa,
    test: isTest,
    companion,
    heldLimits,
    chosenBy,
    ...ad
  } = served;
  expect([
    workspaceId,
    decidedAtMs,
    userHash,
    householdHash,
    npa,
    isTest,
    companion,
    heldLimits,
    chosenBy,
  ]).toHaveLength(9);
  expect(decodeTouch(encodeTouch({ timeMs: 5, ad }))).toEqual({ timeMs: 5, ad });
  expect(decodeTouch('[1,2]')).toBeNull();
  const withValues = { ...ad, keyValues: { '5': 'sport' } };
  expect(decodeTouch(encodeTouch({ timeMs: 5, ad: withValues }))).toEqual({ timeMs: 5, ad: withValues });
});
