import { describe, expect, test } from 'vitest';
import type { Segment, SegmentSighting } from '../../domain/targeting/segment.ts';
import { segmentListKey, writeSegmentEntry } from '../../domain/targeting/segment-membership.ts';
import { hashUser } from '../../domain/ids/user-hash.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import { recordKeyValues, withSegments } from './user-segments.ts';

const secret = Buffer.alloc(32, 5);
const nowMs = Date.parse('2026-11-20T10:00:00Z');
const byUpload: Segment = { id: '7', generation: 2, membershipDays: 30, rule: null };
const byRule: Segment = {
  id: '8',
  generation: 1,
  membershipDays: 5,
  rule: {
    any: [
      { kind: 'keyValue', key: 'sport', values: ['tennis', 'golf'] },
      { kind: 'keyValue', key: 'vip', values: [] },
    ],
  },
};
const targeting = { dimension: 'segment', operator: 'is', values: ['7'] } as const;
const { segments: index } = compile([{ targeting }]);

function compile(lineItems: readonly object[]) {
  return compileWorkspace(sampleSnapshot({ lineItems, segments: [byUpload, byRule] }), nowMs, (_id, error) => {
    throw error;
  });
}

const hashOf = (kind: 'lu' | 'aid', id: string) => hashUser(secret, 1, kind, id);
const entry = (expiresAtMs = nowMs + 1_000, generation = 2) =>
  writeSegmentEntry({ segmentId: '7', generation, expiresAtMs });

async function segmentsOf(
  lists: Readonly<Record<string, readonly string[]>>,
  change: Parameters<typeof sampleOpportunity>[0] = {},
  options: { asynchronous?: boolean; lu?: string; aid?: string; index?: typeof index } = {},
): Promise<readonly string[]> {
  const read: string[] = [];
  const find = (key: string): readonly string[] => {
    read.push(key);
    return lists[key] ?? [];
  };
  const hot = {
    readListNow: (key: string) => (options.asynchronous === true ? null : find(key)),
    readList: async (key: string) => find(key),
  };
  const { lu = 'ann', aid = '' } = options;
  const opportunity = sampleOpportunity({ userHash: hashOf('lu', lu), ...change });
  const known = await withSegments({ hot, userHashSecret: secret, nowMs: () => nowMs }, options.index ?? index, {
    opportunity,
    userIds: { lu, aid, hh: '' },
  });
  if (opportunity.npa) expect(read).toEqual([]);
  return known.segments;
}

const list = (kind: 'lu' | 'aid', id: string) => segmentListKey(1, hashOf(kind, id));

describe('the segments of a user', () => {
  test.each([false, true])(
    'the segments of a user come from the hot store (asynchronous: %s)',
    async (asynchronous) => {
      expect(await segmentsOf({ [list('lu', 'ann')]: [entry()] }, {}, { asynchronous })).toEqual(['7']);
      expect(await segmentsOf({ [list('lu', 'bob')]: [entry()] }, {}, { asynchronous })).toEqual([]);
    },
  );

  test('a request with either id gets the segments', async () => {
    const lists = { [list('aid', 'account')]: [entry()], [list('lu', 'ann')]: [entry(0)] };
    expect(await segmentsOf(lists, {}, { aid: 'account' })).toEqual(['7']);
    expect(await segmentsOf(lists, {}, { aid: 'other' })).toEqual([]);
  });

  test.each([
    ['an expired entry', entry(nowMs - 1_000)],
    ['a removal', entry(0)],
    ['an entry of a replaced generation', entry(nowMs + 1_000, 1)],
  ])('%s does not count', async (_what, text) => {
    expect(await segmentsOf({ [list('lu', 'ann')]: [text] })).toEqual([]);
  });

  test('segments are ignored under npa', async () => {
    expect(await segmentsOf({ [list('lu', 'ann')]: [entry()] }, { npa: true, userHash: '' })).toEqual([]);
  });

  test('claims of a caller about our segments are ignored, and those about other segments count', async () => {
    expect(await segmentsOf({}, { segments: ['7', 'sports-fans'] })).toEqual(['sports-fans']);
    const untargeted = compile([{}]).segments;
    expect(await segmentsOf({}, { segments: ['7', 'x'] }, { index: untargeted })).toEqual(['x']);
  });
});

describe('key-values', () => {
  const recorded = (change: Parameters<typeof sampleOpportunity>[0]): string[] => {
    const seen: SegmentSighting[] = [];
    const observer = { record: (sighting: SegmentSighting) => void seen.push(sighting) };
    recordKeyValues(observer, index, sampleOpportunity({ userHash: 'ff', ...change }), nowMs);
    return seen.map((sighting) => `${sighting.segment.id}/${sighting.userHash}`);
  };
  const keyValues = new Map([['sport', ['golf', 'chess']]]);

  test.each([
    ['one of the values makes a member', { keyValues }, ['8/ff']],
    ['another value does not', { keyValues: new Map([['sport', ['chess']]]) }, []],
    ['a rule without values matches any', { keyValues: new Map([['vip', ['whatever']]]) }, ['8/ff']],
    ['those of one slot make a member', { slots: [sampleSlot({}), sampleSlot({ keyValues })] }, ['8/ff']],
    ['no member is added under npa', { keyValues, npa: true }, []],
    ['a request that lacks an id adds no member', { keyValues, userHash: '' }, []],
    ['a test request adds no member', { keyValues, test: true }, []],
  ])('%s', (_what, change, expected) => {
    expect(recorded(change)).toEqual(expected);
  });
});
