import type { Kysely } from 'kysely';
import type {
  DeliveryChange,
  DeliveryDiagnosis,
  HourlyReasons,
  ReasonCount,
} from '../../../domain/booking/delivery-insight.ts';
import { contentInput } from '../../../domain/booking/creative.ts';
import { isBannerFormat } from '../../../domain/creative-format.ts';
import type { LineItem } from '../../../domain/booking/line-item.ts';
import { Timelines } from '../../../domain/pacing/pacing-timeline.ts';
import type { TrafficCurve } from '../../../domain/pacing/traffic-curve.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import { HOT_BATCH_MAX } from '../../../storage/hot/hot-store.ts';
import type { Olap } from '../../../storage/olap/olap.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import { expectedCpmMicros } from '../../decision/expected-value.ts';
import type { CompiledLineItem } from '../../decision/index/compile-line-items.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import { findById } from '../../decision/index/sorted-by-id.ts';
import { readBookedStates, readCreativeContent } from './booked-state.sql.ts';
import type { BookedState } from './booked-state.sql.ts';
import { toCause } from './cause.ts';
import { readDecisionReasons } from './decision-reasons.olap.ts';
import type { CountedOutcome } from './decision-reasons.olap.ts';
import { diagnose } from './diagnose.ts';
import type { RivalRecord } from './diagnose.ts';
import { compareCounters, listExactKeys } from './exact-counters.ts';
import type { ExactCounters, PlanInput } from './exact-counters.ts';
import { ALL_LINE_ITEMS, readOutcome, WON } from './outcomes.ts';
import { sumOutcomes } from './sampled-causes.ts';

/** How many hours back a diagnosis looks. */
export const DIAGNOSED_HOURS = 24;
const HOUR_MS = 3_600_000;
/** Most outcomes of one line item in a diagnosis. */
const NUMBERS_MAX = 50;
const HOURLY_NUMBERS_MAX = 10;

/** The stores of a diagnosis. */
export interface DiagnosisDeps {
  readonly sql: Kysely<Database>;
  readonly hot: Pick<HotStore, 'readCounters'>;
  readonly olap: Olap;
  /** The traffic that a line item is paced by. */
  readonly curveOf: (compiled: CompiledWorkspace, lineItem: CompiledLineItem) => TrafficCurve;
  readonly nowMs: () => number;
}

/**
 * Diagnoses line items of one workspace, in order: by their bookings, exact counters, and a sample of decisions. A store that does not
 * respond leaves out what it knows, except for the bookings.
 */
export async function loadDiagnoses(
  deps: DiagnosisDeps,
  compiled: CompiledWorkspace | undefined,
  at: { readonly workspaceId: number; readonly lineItemIds: readonly string[] },
): Promise<DeliveryDiagnosis[]> {
  const { workspaceId, lineItemIds } = at;
  const nowMs = deps.nowMs();
  const live = new Map(lineItemIds.map((id) => [id, compiled === undefined ? null : findLive(compiled, id)]));
  const [booked, counted, exact] = await Promise.all([
    readBookedStates(deps.sql, workspaceId, lineItemIds),
    readDecisionReasons(
      deps.olap,
      workspaceId,
      [...lineItemIds, ALL_LINE_ITEMS],
      nowMs - DIAGNOSED_HOURS * HOUR_MS,
    ).catch(() => null),
    compiled === undefined ? new Map<string, ExactCounters>() : readExact(deps, compiled, { live, workspaceId, nowMs }),
  ]);
  const values = new CounterValues();
  const diagnoses = lineItemIds.map((id) => {
    const lineItem = live.get(id) ?? null;
    const state = booked.get(id);
    const own = recentOf(counted?.get(id) ?? [], state);
    const forAll = recentOf(counted?.get(ALL_LINE_ITEMS) ?? [], state).map(({ outcome, quantity }) =>
      readOutcome(outcome, quantity),
    );
    return diagnose({
      hours: DIAGNOSED_HOURS,
      nowMs,
      booked: state,
      isLive: lineItem !== null,
      exact: exact.get(id) ?? null,
      sampled:
        counted === null
          ? null
          : sumOutcomes(
              own.map((one) => readOutcome(one.outcome, one.quantity)),
              forAll,
            ),
      numbers: toNumbers(own),
      byHour: toHours(own),
      valueMicros: lineItem === null ? 0 : expectedCpmMicros(lineItem, workspaceId, values),
      findRival: (rivalId) => (compiled === undefined ? null : findRival(compiled, rivalId, values)),
    });
  });
  return Promise.all(
    diagnoses.map((one, at) => withContent(deps.sql, workspaceId, one, booked.get(lineItemIds[at] ?? ''))),
  );
}

function findLive(compiled: CompiledWorkspace, id: string): CompiledLineItem | null {
  const booked = findById(compiled.snapshot.lineItems, id);
  const position = booked === undefined ? null : compiled.lineItems.findPosition(booked);
  return position === null ? null : compiled.lineItems.at(position);
}

/** Expected earnings of line items without a history: their counters are not read for this. */
class CounterValues {
  counter(): number {
    return 0;
  }
}

function findRival(compiled: CompiledWorkspace, id: string, values: CounterValues): RivalRecord | null {
  const booked: LineItem | undefined = findById(compiled.snapshot.lineItems, id);
  if (booked === undefined) return null;
  const live = findLive(compiled, id);
  const { name, type, level, sharePercent } = booked;
  const bidMicros =
    live === null ? booked.priceMicros : expectedCpmMicros(live, compiled.snapshot.workspace.workspaceId, values);
  return { lineItemId: id, name, type, level, sharePercent, bidMicros };
}

const timelines = new Timelines();

async function readExact(
  { hot, curveOf }: DiagnosisDeps,
  compiled: CompiledWorkspace,
  at: {
    readonly live: ReadonlyMap<string, CompiledLineItem | null>;
    readonly workspaceId: number;
    readonly nowMs: number;
  },
): Promise<ReadonlyMap<string, ExactCounters>> {
  const asked = [...at.live.values()].flatMap((lineItem) => {
    if (lineItem === null) return [];
    const input: PlanInput = { ...at, curve: curveOf(compiled, lineItem), timelines };
    return [{ lineItem, input, keys: listExactKeys(lineItem, input) }];
  });
  const keys = asked.flatMap((one) => one.keys);
  const counts: bigint[] = [];
  try {
    for (let from = 0; from < keys.length; from += HOT_BATCH_MAX)
      counts.push(...(await hot.readCounters(keys.slice(from, from + HOT_BATCH_MAX))));
  } catch {
    return new Map();
  }
  const found = new Map<string, ExactCounters>();
  let from = 0;
  for (const { lineItem, input, keys: own } of asked) {
    found.set(lineItem.booked.id, compareCounters(lineItem, counts.slice(from, from + own.length), input));
    from += own.length;
  }
  return found;
}

/** The outcomes since the last change of the bookings; where there are none since, those from its hour on, or else all of them. */
function recentOf(outcomes: readonly CountedOutcome[], booked: BookedState | undefined): readonly CountedOutcome[] {
  if (booked === undefined) return outcomes;
  const { lineItem, campaign, advertiser, creatives } = booked;
  const changed = [lineItem, campaign, advertiser, ...creatives].map((one) => one.updated_at.getTime());
  const changedAtMs = changed.reduce((last, one) => Math.max(last, one), 0);
  const since = outcomes.filter(({ fromMs }) => fromMs >= changedAtMs);
  if (since.length > 0) return since;
  const recent = outcomes.filter(({ fromMs }) => startOfHour(fromMs) + HOUR_MS > changedAtMs);
  return recent.length > 0 ? recent : outcomes;
}

function startOfHour(atMs: number): number {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS;
}

function toNumbers(outcomes: readonly CountedOutcome[], most = NUMBERS_MAX): ReasonCount[] {
  const sums = new Map<string, number>();
  for (const { outcome, quantity } of outcomes) {
    const { failed } = readOutcome(outcome, quantity);
    const reason = failed.length === 0 ? WON : failed.map((test) => toCause(test).code).join('+');
    sums.set(reason, (sums.get(reason) ?? 0) + quantity);
  }
  const total = [...sums.values()].reduce((sum, quantity) => sum + quantity, 0);
  return [...sums]
    .sort(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([reason, opportunities]) => ({
      reason,
      opportunities,
      percent: total === 0 ? 0 : Math.round((opportunities / total) * 10_000) / 100,
    }));
}

function toHours(outcomes: readonly CountedOutcome[]): HourlyReasons[] {
  return [...Map.groupBy(outcomes, ({ fromMs }) => startOfHour(fromMs))]
    .sort(([one], [other]) => one - other)
    .map(([hourMs, ofHour]) => ({ hour: new Date(hourMs), numbers: toNumbers(ofHour, HOURLY_NUMBERS_MAX) }));
}

/** A new creative in another size gets the content of one that the line item has, so that the change is complete. */
async function withContent(
  sql: Kysely<Database>,
  workspaceId: number,
  diagnosis: DeliveryDiagnosis,
  booked: BookedState | undefined,
): Promise<DeliveryDiagnosis> {
  const source = booked?.creatives.find(({ format, status }) => status === 'ACTIVE' && isBannerFormat(format));
  if (source === undefined || !diagnosis.changes.some(({ code }) => code === 'size')) return diagnosis;
  const found = await readCreativeContent(sql, workspaceId, source.id);
  if (found === undefined) return diagnosis;
  const copied = { content: contentInput(found.content), clickUrl: found.click_url };
  const changes = diagnosis.changes.map((change): DeliveryChange => {
    if (change.code !== 'size' || change.variables === null) return change;
    const input = { ...(change.variables['input'] as object), ...copied };
    return { ...change, variables: { ...change.variables, input }, missing: [] };
  });
  return { ...diagnosis, changes };
}
