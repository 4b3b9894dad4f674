import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CREATIVE_ROTATIONS, LINE_ITEM_TYPES, NO_CAPS } from '../../../domain/booking/line-item.ts';
import { OPTIMISATION_GOAL_NAMES } from '../../../domain/booking/optimisation-goal.ts';
import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import { sampleSnapshot } from '../../../../test/worlds/sample-workspace.ts';
import { compileSteps, compileWorkspace } from './compile-workspace.ts';
import type { CompiledWorkspace } from './compiled-workspace.ts';
import { patchSnapshot, type SnapshotPart, type SnapshotParts } from './snapshot-parts.ts';
import { inOneLayer } from './join-layers.ts';
import { finishSteps } from './work-steps.ts';
import { runsOf } from '../../../../test/support/longer-runs.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const HOUR_MS = 3_600_000;
const reportUnusable = (_id: string, error: unknown): never => {
  throw error;
};

const oneOf = fc.constantFrom;
const instant = oneOf(null, NOW_MS - HOUR_MS, NOW_MS + HOUR_MS, NOW_MS + 3 * HOUR_MS);
const deliveryStatus = oneOf('ACTIVE', 'ACTIVE', 'PAUSED', 'ARCHIVED');
const frequencyCaps = oneOf([], [{ event: 'IMPRESSIONS', count: 2, window: 'DAY', every: 1 }]);
const caps = oneOf(NO_CAPS, { ...NO_CAPS, spendMicrosPerDay: 7_000_000 }, { ...NO_CAPS, clicksLifetime: 3 });
const labels = oneOf([], ['cars'], ['cars', 'banks']);
const name = oneOf('one', 'two');
const micros = oneOf(0, 500_000, 2_000_000);
const targeting = oneOf(
  null,
  { dimension: 'country', operator: 'is', values: ['PL'] },
  { dimension: 'segment', operator: 'is', values: ['1'] },
  {
    any: [
      { dimension: 'country', operator: 'isNot', values: ['DE'] },
      { dimension: 'os', operator: 'is', values: ['ios'] },
    ],
  },
);

/** For each list, what each field of a record can become. A test compares the fields with those of the records. */
const FIELDS: { readonly [P in SnapshotPart]: Readonly<Record<string, fc.Arbitrary<unknown>>> } = {
  advertisers: {
    name,
    status: oneOf('ACTIVE', 'ACTIVE', 'ARCHIVED'),
    domains: oneOf(['acme.example'], ['SHOP.other.example', 'b.example']),
    dsaBehalf: oneOf(null, 'Acme'),
    dsaPaid: oneOf(null, 'Acme'),
    exclusionLabels: labels,
    labels,
    frequencyCaps,
    creditMicros: oneOf(null, 9_000_000),
    categories: oneOf([], ['IAB1']),
  },
  campaigns: {
    advertiserId: oneOf('1', '2'),
    name,
    status: deliveryStatus,
    startsAtMs: instant,
    endsAtMs: instant,
    caps,
    frequencyCaps,
    labels,
  },
  lineItems: {
    campaignId: oneOf('1', '2', '3'),
    dealId: oneOf(null, null, '1', '2'),
    advertisingProductId: oneOf(null, '1'),
    name,
    status: deliveryStatus,
    type: oneOf(...LINE_ITEM_TYPES),
    level: oneOf(1, 8, 16),
    sharePercent: oneOf(null, 20, 80),
    goal: oneOf(
      null,
      { kind: 'IMPRESSIONS', amount: 10, period: 'DAY' },
      { kind: 'CLICKS', amount: 5, period: 'LIFETIME' },
    ),
    pacing: oneOf('EVEN', 'ASAP'),
    pricingModel: oneOf('CPM', 'CPC', 'CPA'),
    priceMicros: micros,
    caps,
    frequencyCaps,
    serveWithoutUser: fc.boolean(),
    pauseAfterGoal: fc.boolean(),
    startsAtMs: instant,
    endsAtMs: instant,
    timezone: oneOf('Europe/Warsaw', 'America/New_York'),
    dayParts: oneOf([], [{ days: [1], startMinute: 60, endMinute: 120 }]),
    targeting,
    creativeRotation: oneOf(...CREATIVE_ROTATIONS),
    roadblock: oneOf('ONE', 'ONE', 'ALL'),
    companionMode: oneOf('NONE', 'OPTIONAL', 'ALL'),
    exclusionLabels: labels,
    labels,
    optimisationGoal: oneOf(...OPTIMISATION_GOAL_NAMES),
    countedActivities: oneOf([], [{ activityId: '1', events: [] }]),
  },
  creatives: {
    lineItemId: oneOf('1', '2', '3', '4'),
    masterCreativeId: oneOf(null, null, '100'),
    name,
    status: oneOf('ACTIVE', 'ACTIVE', 'PAUSED'),
    reviewState: oneOf('APPROVED', 'APPROVED', 'PENDING'),
    width: oneOf(0, 300, 728),
    height: oneOf(0, 250),
    content: oneOf(
      { format: 'IMAGE', imageUrl: 'https://cdn.example/2.png', alt: '' },
      { format: 'HTML', html: '<b>' },
    ),
    clickUrl: oneOf('https://acme.example/a', 'https://acme.example/b'),
    trackers: oneOf(
      { impressionUrls: [], clickUrls: [], viewableUrls: [] },
      { impressionUrls: ['https://t.example/'], clickUrls: [], viewableUrls: [] },
    ),
    weight: oneOf(1, 100),
    startsAtMs: instant,
    endsAtMs: instant,
    secure: fc.boolean(),
    attributes: oneOf([], [3]),
    language: oneOf(null, 'pl'),
    frequencyCaps,
  },
  deals: {
    code: oneOf('deal-1', 'deal-2'),
    name,
    status: oneOf('ACTIVE', 'ACTIVE', 'ARCHIVED'),
    floorMicros: micros,
    fixedPriceMicros: oneOf(null, 3_000_000),
    seats: oneOf([], ['seat-a'], ['seat-b', 'seat-a']),
    kind: oneOf('PRIVATE', 'PROGRAMMATIC_GUARANTEED'),
  },
  sites: {
    code: oneOf('news', 'blog'),
    name,
    domain: oneOf('news.example', 'blog.example'),
    status: oneOf('ACTIVE', 'ARCHIVED'),
  },
  areas: { siteId: oneOf('1', '2'), code: oneOf('sport', 'home'), name },
  adUnits: {
    siteId: oneOf('1', '2'),
    areaId: oneOf(null, '1'),
    name: oneOf('home/top', 'home/side'),
    sizes: oneOf([{ width: 300, height: 250 }], [{ width: 728, height: 90 }]),
    mediaTypes: oneOf(['banner'], ['banner', 'native']),
    status: oneOf('ACTIVE', 'ARCHIVED'),
    floorMicros: micros,
  },
  activities: { name },
  segments: {
    membershipDays: oneOf(7, 30),
    generation: oneOf(1, 2),
    rule: oneOf(
      null,
      { any: [{ kind: 'keyValue', key: 'k', values: ['a'] }] },
      { any: [{ kind: 'keyValue', key: 'l', values: ['b'] }] },
    ),
  },
  floors: {
    priority: oneOf(0, 5),
    floorMicros: micros,
    siteId: oneOf(null, '1'),
    areaId: oneOf(null, '1'),
    adUnitId: oneOf(null, '1'),
    dealId: oneOf(null, '1'),
    sizes: oneOf([], [{ width: 300, height: 250 }]),
    mediaTypes: oneOf([], ['banner']),
    countries: oneOf([], ['pl']),
  },
  reportKeys: { key: name },
};

type Change =
  | { readonly part: SnapshotPart; readonly at: number; readonly field: string; readonly value: unknown }
  | { readonly part: SnapshotPart; readonly at: number; readonly field: null };

const change: fc.Arbitrary<Change> = fc
  .tuple(
    fc.constantFrom(
      ...(Object.keys(FIELDS) as SnapshotPart[]),
      'lineItems',
      'lineItems',
      'creatives',
      'deals',
      'campaigns',
    ),
    fc.nat(19),
  )
  .chain(([part, at]) => {
    const fields = Object.entries(FIELDS[part as SnapshotPart]);
    return fc.oneof(
      {
        weight: 9,
        arbitrary: fc
          .constantFrom(...fields)
          .chain(([field, values]) =>
            values.map((value): Change => ({ part: part as SnapshotPart, at, field, value })),
          ),
      },
      { weight: 1, arbitrary: fc.constant<Change>({ part: part as SnapshotPart, at, field: null }) },
    );
  });
/** What changes at once, and the hours that pass before it. */
const turn = fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 4 }), hours: oneOf(0, 0, 0, 2) });

const START = sampleSnapshot({
  workspace: {
    labelCaps: [{ label: 'cars', frequencyCaps: [{ event: 'IMPRESSIONS', count: 1, window: 'DAY', every: 1 }] }],
  },
  advertisers: [{}, {}],
  campaigns: [{}, {}, { advertiserId: '2' }],
  lineItems: LINE_ITEM_TYPES.flatMap((type, at) => [
    { type, campaignId: String(1 + (at % 3)) },
    { type, level: 3, dealId: at % 2 === 0 ? '1' : null },
  ]),
  deals: [{}, {}],
  sites: [{}, { code: 'blog' }],
  areas: [{}, { code: 'home' }],
  adUnits: [{}, { name: 'home/side' }],
  floors: [{}, { priority: 1 }],
  segments: [{ id: '1', membershipDays: 30, generation: 1, rule: null }],
  reportKeys: [{ id: '1', key: 'k' }],
});

/** A record of a list with one field changed, removed when there is one, or the removed one again. */
function apply(snapshot: WorkspaceSnapshot, one: Change): WorkspaceSnapshot {
  const { part, at } = one;
  const first = START[part];
  const start = first[at % Math.max(1, first.length)];
  if (start === undefined) return snapshot;
  const present = (snapshot[part] as readonly { readonly id: string }[]).find(({ id }) => id === start.id);
  const patch = (records: readonly object[]) =>
    patchSnapshot(snapshot, part, { ids: [start.id], records: records as unknown as SnapshotParts[typeof part] });
  if (one.field === null) {
    // Parents stay: the database keeps those of present line items.
    return part === 'campaigns' || part === 'advertisers' || part === 'deals'
      ? snapshot
      : patch(present === undefined ? [start] : []);
  }
  return patch([{ ...(present ?? start), [one.field]: one.value }]);
}

/** Everything of a compilation but its functions, buffers and counters of decisions. */
function factsOf(compiled: CompiledWorkspace): object {
  const {
    lineItems,
    competition,
    nextEndMs: _next,
    index: _index,
    matches: _matches,
    memory: _memory,
    ...others
  } = compiled;
  const { shapes, shapeNames, ...columns } = finishSteps(inOneLayer(compiled)).columns;
  return {
    ...others,
    columns: { ...columns, shapes: Array.from(shapes, (shape) => shapeNames[shape]) },
    lineItems: Array.from(lineItems, ({ residual, ...compiled }) => ({ ...compiled, isTested: residual !== null })),
    indexed: [...lineItems.indexedFields].toSorted(),
    drafts: Array.from(lineItems, (_one, position) => lineItems.draftAt(position).live),
    booked: Array.from(lineItems, (_one, position) => lineItems.bookedAt(position)),
    ranges: [competition.standard, competition.price],
  };
}

/** The columns as the objects say: a rebuild begins with the columns of no line items, so a column that never changes is the same in both. */
function columnsByObjects({ lineItems, snapshot }: CompiledWorkspace): object {
  const all = [...lineItems];
  const shown = all.map(({ booked }) =>
    [...snapshot.creatives]
      .filter((one) => one.lineItemId === booked.id && one.status === 'ACTIVE' && one.reviewState === 'APPROVED')
      .map(({ id }) => BigInt(id)),
  );
  return {
    length: all.length,
    idTexts: all.map(({ booked: { id } }) => id),
    pricesMicros: Float64Array.from(all, ({ priceMicros }) => priceMicros),
    startsAtMs: Float64Array.from(all, ({ startsAtMs }) => startsAtMs),
    endsAtMs: Float64Array.from(all, ({ endsAtMs }) => endsAtMs),
    sharesPercent: Float64Array.from(all, ({ sharePercent }) => sharePercent ?? Number.NaN),
    goals: Uint8Array.from(all, ({ goal }) => (goal === null ? 0 : 1)),
    groups: all.map(({ group }) => group),
    creativeIds: BigInt64Array.from(shown.flat()),
    creativeStarts: Int32Array.from([0, ...shown.map((_ids, at) => shown.slice(0, at + 1).flat().length)]),
  };
}

function columnsOf(compiled: CompiledWorkspace): object {
  const { lineItems, competition } = compiled;
  const {
    ids: _ids,
    buckets,
    shapes: _shapes,
    shapeNames: _names,
    ...columns
  } = finishSteps(inOneLayer(compiled)).columns;
  const positions = Array.from(buckets, (_bucket, position) => position);
  return {
    ...columns,
    idTexts: positions.map((position) => lineItems.idAt(position)),
    groups: positions.map((position) => competition.groupAt(position)),
  };
}

/** Sequences of changes that are tried. */
const RUNS = Number(process.env['CHANGED_WORLDS'] ?? runsOf(150));
const RUN_MS_MAX = 60_000 + 1_000 * RUNS;

test('a compilation on top of another one has every field of a new one, whatever changed', {
  timeout: RUN_MS_MAX + 60_000,
}, () => {
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 10 }), oneOf(0, 3, 1_000), (turns, layeredMax) => {
      let nowMs = NOW_MS;
      let snapshot = START;
      let onTop = compileWorkspace(START, nowMs, reportUnusable);
      for (const { changes, hours } of turns) {
        nowMs += hours * HOUR_MS;
        for (const one of changes) snapshot = apply(snapshot, one);
        onTop = finishSteps(compileSteps(snapshot, { nowMs, reportUnusable, previous: onTop, layeredMax }));
        const rebuilt = compileWorkspace(snapshot, nowMs, reportUnusable);
        expect(factsOf(onTop)).toEqual(factsOf(rebuilt));
        expect(columnsOf(onTop)).toEqual(columnsByObjects(onTop));
        expect(onTop.nextEndMs).toBeLessThanOrEqual(rebuilt.nextEndMs);
      }
    }),
    { numRuns: RUNS, interruptAfterTimeLimit: RUN_MS_MAX, markInterruptAsFailure: false },
  );
});

test('the changes cover every field of every record', () => {
  for (const [part, fields] of Object.entries(FIELDS))
    for (const record of START[part as SnapshotPart])
      expect(Object.keys(fields), part).toEqual(
        expect.arrayContaining(Object.keys(record).filter((field) => field !== 'id')),
      );
});
