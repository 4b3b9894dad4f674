import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LINE_ITEM_TYPES } from '../../../domain/booking/line-item.ts';
import type { LineItem } from '../../../domain/booking/line-item.ts';
import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import type { Targeting } from '../../../domain/targeting/targeting.ts';
import { compileSteps, compileWorkspace } from './compile-workspace.ts';
import type { CompiledWorkspace } from './compiled-workspace.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot } from '../../../../test/worlds/sample-workspace.ts';
import { inOneLayer } from './join-layers.ts';
import { patchSnapshot } from './snapshot-parts.ts';
import type { TargetingFacts } from './targeting.ts';
import { finishSteps } from './work-steps.ts';
import { runsOf } from '../../../../test/support/longer-runs.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const FITS = ['banner:0x0', 'banner:300x250'];
const reportUnusable = (_id: string, error: unknown): never => {
  throw error;
};

/** Many line items with many keys: more keys than are indexed, with values in most line items, in some, and in one. */
const value = fc.oneof(fc.constantFrom('common', 'usual'), fc.integer({ min: 1, max: 500 }).map(String));
const leaf = fc.record({
  dimension: fc.constantFrom('keyValue', 'keyValue', 'country', 'segment'),
  key: fc.integer({ min: 1, max: 40 }).map((key) => `k${key}`),
  operator: fc.constantFrom('is', 'is', 'is', 'isNot'),
  values: fc.array(value, { minLength: 1, maxLength: 3 }),
});
const targeting = fc.record({ all: fc.array(leaf, { maxLength: 4 }) }) as fc.Arbitrary<Targeting>;
const lineItem = fc.record({
  type: fc.constantFrom(...LINE_ITEM_TYPES),
  level: fc.integer({ min: 1, max: 16 }),
  priceMicros: fc.integer({ min: 0, max: 20 }).map((units) => units * 500_000),
  status: fc.constantFrom('ACTIVE', 'ACTIVE', 'ACTIVE', 'PAUSED'),
  campaignId: fc.constantFrom('1', '2', '3'),
  pricingModel: fc.constantFrom('CPM', 'CPM', 'CPC'),
  targeting,
}) as fc.Arbitrary<Partial<Omit<LineItem, 'caps'>>>;

/** `count` line items from `firstId` on. Each targets value `v` of the keys that `keysOf` returns. */
function keyed(firstId: number, count: number, keysOf: (at: number) => string[]): Partial<Omit<LineItem, 'caps'>>[] {
  return Array.from({ length: count }, (_, at) => {
    const all = keysOf(at + 1).map((key) => ({ dimension: 'keyValue', key, operator: 'is', values: ['v'] }) as const);
    return { id: String(firstId + at), targeting: { all } };
  });
}

/** The id of a line item (new ones are above all others) and its present state; null = it was removed. */
const lineItemEdit = fc.tuple(fc.integer({ min: 1, max: 700 }).map(String), fc.option(lineItem, { freq: 5 }));
const campaignEdit = fc.tuple(
  fc.constantFrom('1', '2', '3'),
  fc.constantFrom('ACTIVE' as const, 'ACTIVE' as const, 'PAUSED' as const),
);
type LineItemEdit = readonly [string, Partial<Omit<LineItem, 'caps'>> | null];
/** Many line items at once target keys that few or none targeted before, or are removed. */
const bulk: fc.Arbitrary<LineItemEdit[]> = fc
  .record({
    firstId: fc.constantFrom(1, 40, 800, 900, 1_000),
    count: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 60, max: 100 })),
    keys: fc.uniqueArray(fc.integer({ min: 35, max: 60 }), { minLength: 1, maxLength: 3 }),
    areGone: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  })
  .map(({ firstId, count, keys, areGone }) =>
    keyed(firstId, count, () => keys.map((key) => `k${key}`)).map((lineItem) => [
      lineItem.id ?? '',
      areGone ? null : lineItem,
    ]),
  );
interface Edit {
  readonly lineItems: readonly LineItemEdit[];
  /** These stay and get other targeting. */
  readonly retargeted: readonly (readonly [string, Targeting])[];
  readonly campaigns: readonly (readonly [string, 'ACTIVE' | 'PAUSED'])[];
}
const edit: fc.Arbitrary<Edit> = fc.record({
  lineItems: fc.oneof(fc.constant([]), fc.array(lineItemEdit, { maxLength: 12 }), bulk),
  retargeted: fc.array(fc.tuple(fc.integer({ min: 1, max: 100 }).map(String), targeting), { maxLength: 6 }),
  campaigns: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.tuple(campaignEdit) }),
});

/** Consecutive line items, with as many keys as are indexed, or slightly more or fewer. */
const start: fc.Arbitrary<Partial<Omit<LineItem, 'caps'>>[]> = fc.oneof(
  fc.array(lineItem, { minLength: 100, maxLength: 600 }),
  fc.array(lineItem, { minLength: 1, maxLength: 30 }),
  fc.integer({ min: 1, max: 36 }).map((count) => keyed(1, count, (at) => [`k${at}`])),
);

function workspaceOf(lineItems: readonly Partial<Omit<LineItem, 'caps'>>[]): WorkspaceSnapshot {
  return sampleSnapshot({ lineItems, campaigns: [{}, {}, {}] });
}

function apply(snapshot: WorkspaceSnapshot, { lineItems: edits, retargeted, campaigns }: Edit): WorkspaceSnapshot {
  const ids = edits.map(([id]) => id);
  const stay = edits.filter(([, lineItem]) => lineItem !== null);
  const { lineItems, creatives } = workspaceOf([...new Map(stay)].map(([id, lineItem]) => ({ ...lineItem, id })));
  const withLineItems = patchSnapshot(snapshot, 'lineItems', { ids, records: lineItems });
  const withCreatives = patchSnapshot(withLineItems, 'creatives', {
    ids: ids.map((id) => `${id}00`),
    records: creatives,
  });
  const changed = snapshot.campaigns.flatMap((campaign) => {
    const found = campaigns.find(([id]) => id === campaign.id);
    return found === undefined ? [] : [{ ...campaign, status: found[1] }];
  });
  const wanted = new Map(retargeted);
  const others = withCreatives.lineItems.flatMap((lineItem) => {
    const found = wanted.get(lineItem.id);
    return found === undefined ? [] : [{ ...lineItem, targeting: found }];
  });
  const withTargeting = patchSnapshot(withCreatives, 'lineItems', { ids: [], records: others });
  return patchSnapshot(withTargeting, 'campaigns', { ids: [], records: changed });
}

function factsOf(asked: Question): TargetingFacts {
  const slot = sampleSlot({});
  const keyValues = new Map(asked.keyValues.map(([key, values]) => [`k${key}`, values]));
  const opportunity = sampleOpportunity({ country: asked.country, segments: asked.segments, keyValues, slots: [slot] });
  return { opportunity, slot, sizes: ['300x250'], deals: [], localMoment: () => ({ day: '', weekday: 1, minute: 0 }) };
}
interface Question {
  readonly country: string;
  readonly segments: readonly string[];
  readonly keyValues: readonly (readonly [number, readonly string[]])[];
}
const question: fc.Arbitrary<Question> = fc.record({
  country: value,
  segments: fc.uniqueArray(value, { maxLength: 3 }),
  keyValues: fc.oneof(
    fc.constant([]),
    fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.uniqueArray(value, { maxLength: 3 })), { maxLength: 10 }),
  ),
});

/** The line items that the index and the residual tests admit, stretch by stretch. */
function admitted({ index, stretches, matches, lineItems }: CompiledWorkspace, facts: TargetingFacts): string[] {
  index.setRequest(facts, FITS);
  return stretches.flatMap((stretch) => {
    const found = Array.from(matches.subarray(0, index.collect(stretch, matches)), (at) => lineItems.at(at));
    return found.flatMap((lineItem) =>
      lineItem === undefined || lineItem.residual?.(facts) === false ? [] : [`${lineItem.group}/${lineItem.booked.id}`],
    );
  });
}

/** All changes join one layer, some of them do, or none. */
const layeredMax = fc.constantFrom(0, 5, 40, 100_000);

/** All columns, with the shapes of ads by name: their numbers depend on the order of changes. */
function columnsOf(compiled: CompiledWorkspace): object {
  const { shapes, shapeNames, ...others } = finishSteps(inOneLayer(compiled)).columns;
  return { ...others, shapes: Array.from(shapes, (shape) => shapeNames[shape]) };
}

/** Sequences of changes that are tried. */
const RUNS = Number(process.env['CHANGED_WORLDS'] ?? runsOf(40));
const RUN_MS_MAX = 60_000 + 1_000 * RUNS;

test('the index finds line items that are added, removed and moved as a new index does', {
  timeout: RUN_MS_MAX + 60_000,
}, () => {
  fc.assert(
    fc.property(
      start,
      fc.array(edit, { minLength: 1, maxLength: 8 }),
      fc.array(question, { minLength: 3, maxLength: 6 }),
      layeredMax,
      (lineItems, edits, questions, layered) => {
        let onTop = compileWorkspace(workspaceOf(lineItems), NOW_MS, reportUnusable);
        for (const one of edits) {
          const snapshot = apply(onTop.snapshot as WorkspaceSnapshot, one);
          const context = { nowMs: NOW_MS, reportUnusable, previous: onTop, layeredMax: layered };
          onTop = finishSteps(compileSteps(snapshot, context));
          const rebuilt = compileWorkspace(snapshot, NOW_MS, reportUnusable);
          expect([...onTop.lineItems].map(({ booked: { id } }) => id)).toEqual(
            [...rebuilt.lineItems].map(({ booked: { id } }) => id),
          );
          expect(columnsOf(onTop)).toEqual(columnsOf(rebuilt));
          expect(onTop.stretches).toEqual(rebuilt.stretches);
          expect(onTop.idle.map(({ id }) => id)).toEqual(rebuilt.idle.map(({ id }) => id));
          for (const asked of questions) {
            expect(admitted(onTop, factsOf(asked))).toEqual(admitted(rebuilt, factsOf(asked)));
          }
        }
      },
    ),
    // Shrinking a failure takes too long.
    { numRuns: RUNS, interruptAfterTimeLimit: RUN_MS_MAX, markInterruptAsFailure: true },
  );
});

test('a key that many line items begin to restrict replaces an indexed key that few restrict', () => {
  const on = (id: number, key: string): Partial<Omit<LineItem, 'caps'>> => {
    return { id: String(id), targeting: { dimension: 'keyValue', key, operator: 'is', values: ['a'] } };
  };
  const ask = factsOf({
    country: '',
    segments: [],
    keyValues: [
      [1, ['a']],
      [99, ['a']],
    ],
  });
  let compiled = compileWorkspace(
    workspaceOf(Array.from({ length: 80 }, (_, at) => on(at + 1, `k${1 + (at % 40)}`))),
    0,
    reportUnusable,
  );
  for (let id = 101; id <= 200; id += 1) {
    const { lineItems, creatives } = workspaceOf([on(id, 'k99')]);
    const withLineItem = patchSnapshot(compiled.snapshot, 'lineItems', { ids: [], records: lineItems });
    const snapshot = patchSnapshot(withLineItem, 'creatives', { ids: [], records: creatives });
    compiled = finishSteps(compileSteps(snapshot, { nowMs: 0, reportUnusable, previous: compiled }));
    expect(compiled.index.has('keyValue:k99')).toBe(id - 100 > 2 * 2 + 64);
    expect(admitted(compiled, ask)).toHaveLength(2 + id - 100);
  }
});

function withLineItems(
  before: CompiledWorkspace,
  input: readonly Partial<Omit<LineItem, 'caps'>>[],
): CompiledWorkspace {
  const { lineItems, creatives } = workspaceOf(input);
  const more = patchSnapshot(before.snapshot, 'lineItems', { ids: [], records: lineItems });
  const snapshot = patchSnapshot(more, 'creatives', { ids: [], records: creatives });
  return finishSteps(compileSteps(snapshot, { nowMs: NOW_MS, reportUnusable, previous: before }));
}

test.each([
  { newcomers: 'two, on the same two new keys', first: 31, come: keyed(101, 2, () => ['a', 'b']) },
  { newcomers: 'many, on one new key', first: 32, come: keyed(101, 67, () => ['a']) },
])('a key that new line items push out of the index is still tested: $newcomers', ({ first, come }) => {
  const before = compileWorkspace(workspaceOf(keyed(1, first, (at) => [`k${at}`])), NOW_MS, reportUnusable);
  const after = withLineItems(before, come);
  expect(admitted(after, factsOf({ country: '', segments: [], keyValues: [] }))).toEqual([]);
  for (let at = 1; at <= first; at += 1)
    expect(admitted(after, factsOf({ country: '', segments: [], keyValues: [[at, ['v']]] }))).toHaveLength(1);
});

test('values that are added and removed do not accumulate', () => {
  const targeted = (id: number, wanted: string): Partial<Omit<LineItem, 'caps'>> => {
    return { id: String(id), targeting: { dimension: 'keyword', operator: 'is', values: [wanted] } };
  };
  let compiled = compileWorkspace(
    workspaceOf(Array.from({ length: 50 }, (_, at) => targeted(at + 1, 'kept'))),
    0,
    reportUnusable,
  );
  for (let round = 0; round < 1_000; round += 1) {
    const lineItems = workspaceOf([targeted(1 + (round % 40), `value-${round}`)]).lineItems;
    const snapshot = patchSnapshot(compiled.snapshot, 'lineItems', { ids: [], records: lineItems });
    compiled = finishSteps(compileSteps(snapshot, { nowMs: 0, reportUnusable, previous: compiled }));
  }
  expect(compiled.index.valueCount).toBeLessThan(200);
  const slot = sampleSlot({});
  const opportunity = sampleOpportunity({ keywords: ['kept', 'value-999', 'value-1'], slots: [slot] });
  const facts = { ...factsOf({ country: '', segments: [], keyValues: [] }), opportunity };
  expect(admitted(compiled, facts)).toHaveLength(11);
});

test('a line item that has ended becomes idle at the next change of any kind', () => {
  const atHour = (hour: number) => NOW_MS + hour * 3_600_000;
  const input = [{ endsAtMs: atHour(1) }, { endsAtMs: atHour(3) }, {}, { endsAtMs: atHour(2) }];
  const first = sampleSnapshot({ lineItems: input, creatives: ['1', '2', '3'].map((id) => ({ id, lineItemId: id })) });
  let compiled = compileWorkspace(first, NOW_MS, reportUnusable);
  const states = () => [
    [...compiled.lineItems].map(({ booked: { id } }) => id),
    compiled.idle.map(({ id, reason }) => [id, reason]),
  ];
  expect(states()).toEqual([['1', '2', '3'], [['4', 'size']]]);
  for (const hour of [1, 2, 3]) {
    const snapshot = patchSnapshot(compiled.snapshot, 'sites', { ids: ['1'], records: [] });
    compiled = finishSteps(compileSteps(snapshot, { nowMs: atHour(hour), reportUnusable, previous: compiled }));
    if (hour === 1)
      expect(states()).toEqual([
        ['2', '3'],
        [
          ['1', 'not_in_flight'],
          ['4', 'size'],
        ],
      ]);
  }
  const idle = ['1', '2', '4'].map((id) => [id, 'not_in_flight']);
  expect(states()).toEqual([['3'], idle]);
});
