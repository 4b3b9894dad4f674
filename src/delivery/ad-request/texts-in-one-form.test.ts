import { domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleSnapshot, stateOf } from '../../../test/worlds/sample-workspace.ts';
import { isMetByActivity, type Segment, type SegmentCondition } from '../../domain/targeting/segment.ts';
import type { Targeting } from '../../domain/targeting/targeting.ts';
import { decide } from '../decision/decide.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import { indexSegments } from '../decision/index/segment-index.ts';
import { parseBidRequest } from '../openrtb/bid-request.ts';
import { parseAdsRequest } from './ads-request.ts';
import { buildBidOpportunity } from './bid-opportunity.ts';
import { readDevice, resolveGeo } from './device.ts';
import { findNoGeo } from './geo-lookup.ts';
import { resolvePrivacy } from './privacy.ts';
import { recordKeyValues } from './user-segments.ts';

/** Words with letters that have two forms, and letters of three scripts. */
const word = fc.string({ unit: fc.constantFrom('ó', 'ź', 'ö', 'ё', 'ά', 'Å', 'k', '7'), minLength: 1, maxLength: 8 });
const form = fc.constantFrom('NFC', 'NFD');

interface World {
  readonly targeting?: Targeting;
  readonly site?: object;
  readonly adUnit?: object;
  readonly advertiser?: object;
}

interface Sent {
  readonly site?: object;
  readonly imp?: object;
  readonly device?: object;
  readonly badv?: readonly string[];
}

/** A compiled world, and the opportunity of a request in it. */
function requestIn(world: World, request: Sent, userHash = '') {
  const { targeting = null, site = {}, adUnit = {}, advertiser = {} } = world;
  const snapshot = sampleSnapshot({
    sites: [site],
    adUnits: [adUnit],
    advertisers: [advertiser],
    lineItems: [{ targeting }],
  });
  const compiled = compileWorkspace(snapshot, 0, () => {});
  const parsed = parseBidRequest({
    id: 'r',
    ...request,
    imp: [{ id: 'i', banner: { w: 300, h: 250 }, ...request.imp }],
    site: { id: 'news', domain: 'news.example', ...request.site },
  });
  const opportunity = buildBidOpportunity(parsed, compiled, {
    device: readDevice(parsed.device, {}),
    geo: resolveGeo(parsed.device, '', findNoGeo),
    browserLanguages: [],
    privacy: resolvePrivacy(parsed.privacy),
    dsa: null,
    userHash,
    householdHash: '',
    nowMs: 0,
  });
  return { compiled, opportunity };
}

/** Whether a line item wins the impression of a request. */
function isWon(world: World, request: Sent): boolean {
  const { compiled, opportunity } = requestIn(world, request);
  const { placements } = decide(compiled, opportunity, { state: stateOf({}), nowMs: 0, random: () => 0 });
  return placements[0] !== null;
}

const targets = (dimension: 'keyword' | 'keyValue' | 'city' | 'domain', value: string, key?: string): Targeting =>
  key === undefined
    ? { dimension, operator: 'is', values: [value] }
    : { dimension, operator: 'is', key, values: [value] };

describe('texts of requests', () => {
  test('keywords, key-values and cities match whatever the form in which they are stored and sent', () => {
    fc.assert(
      fc.property(word, form, form, (any, stored, sent) => {
        const value = any.normalize(stored);
        const text = any.normalize(sent);
        expect(isWon({ targeting: targets('keyword', value) }, { site: { keywords: `x,${text}` } })).toBe(true);
        expect(isWon({ targeting: targets('keyword', value) }, { site: { ext: { kwrd: text } } })).toBe(true);
        const keyvalues = { imp: { ext: { keyvalues: { [text]: [text] } } } };
        expect(isWon({ targeting: targets('keyValue', value, value) }, keyvalues)).toBe(true);
        expect(isWon({ targeting: targets('city', value) }, { device: { geo: { city: text } } })).toBe(true);
        expect(isWon({ targeting: targets('keyword', `${value}y`) }, { site: { keywords: text } })).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  test('key-values and activities make members of a segment whatever the form in which its rule is stored', () => {
    const segmentOf = (condition: SegmentCondition): Segment => ({
      id: '1',
      generation: 1,
      membershipDays: 30,
      rule: { any: [condition] },
    });
    fc.assert(
      fc.property(word, form, form, (any, stored, sent) => {
        const [value, text] = [any.normalize(stored), any.normalize(sent)];
        const isMember = (carried: string): boolean => {
          const { opportunity } = requestIn({}, { imp: { ext: { keyvalues: { [text]: [carried] } } } }, 'user');
          const rule = segmentOf({ kind: 'keyValue', key: value, values: [value] });
          const seen: string[] = [];
          const observer = { record: ({ segment }: { segment: Segment }) => void seen.push(segment.id) };
          recordKeyValues(observer, indexSegments({ segments: [rule] }, true), opportunity, 0);
          return seen.length === 1;
        };
        expect([isMember(text), isMember(`${text}y`)]).toEqual([true, false]);
        const booked = segmentOf({ kind: 'activity', activityId: '7', event: value });
        expect(isMetByActivity(booked, '7', any.normalize('NFC'))).toBe(true);
        expect(isMetByActivity(booked, '7', `${any.normalize('NFC')}y`)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  test('sites and ad units are found by name whatever the form in which they are stored and sent', () => {
    fc.assert(
      fc.property(word, form, form, (any, stored, sent) => {
        const world = { site: { code: any.normalize(stored) }, adUnit: { name: any.normalize(stored) } };
        const onSite: Targeting = { dimension: 'site', operator: 'is', values: ['1'] };
        const onUnit: Targeting = { dimension: 'adUnit', operator: 'is', values: ['1'] };
        const request = { site: { id: any.normalize(sent) }, imp: { tagid: any.normalize(sent) } };
        expect(isWon({ ...world, targeting: onSite }, { site: request.site })).toBe(true);
        expect(isWon({ ...world, targeting: onUnit }, request)).toBe(true);
        expect(parseAdsRequest({ network: '1', adUnit: any.normalize(sent) }).adUnitName).toBe(any.normalize('NFC'));
      }),
      { numRuns: 50 },
    );
  });
});

describe('domains of requests', () => {
  const ASCII = 'xn--d-uga0v4h.example';
  const forms = [
    ASCII,
    domainToUnicode(ASCII),
    domainToUnicode(ASCII).normalize('NFD'),
    ASCII.toUpperCase(),
    `${ASCII}.`,
  ];
  const pairs = forms.flatMap((stored) => forms.map((sent) => [stored, sent] as const));

  test.each(pairs)('an advertiser of %s is blocked by %s, with its subdomains', (stored, sent) => {
    const world = { advertiser: { domains: [`sklep.${stored}`] } };
    expect(isWon(world, {})).toBe(true);
    expect(isWon(world, { badv: [sent] })).toBe(false);
    expect(isWon(world, { badv: [`inny.${sent}`] })).toBe(true);
  });

  test.each(pairs)('a line item for pages of %s wins on %s and its subdomains', (stored, sent) => {
    const targeting = targets('domain', stored);
    expect(isWon({ targeting }, { site: { domain: sent } })).toBe(true);
    expect(isWon({ targeting }, { site: { domain: `www.${sent}` } })).toBe(true);
    expect(isWon({ targeting }, { site: { domain: 'd.example' } })).toBe(false);
  });

  test('the domain of an ad request is that of its site or page in the one form', () => {
    const domainOf = (site: object) => parseAdsRequest({ network: '1', adUnit: 'a', ...site }).domain;
    for (const sent of forms) expect(domainOf({ site: sent })).toBe(ASCII);
    expect(domainOf({ page: `https://${forms[1]}/a` })).toBe(ASCII);
  });
});
