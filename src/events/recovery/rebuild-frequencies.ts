import {
  frequencyCapTail,
  frequencyCounterKey,
  type FrequencyScope,
  frequencyWindowMs,
} from '../../domain/frequency/frequency-key.ts';
import { labelCapsOf, labelCounterId } from '../../domain/frequency/label-cap.ts';
import type { FrequencyCap } from '../../domain/frequency/frequency-cap.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { CountedSum, ReadCountedSums } from '../../domain/money/counted-sums.ts';
import type { RebuildTarget } from '../../storage/hot/recoverable-shards.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { ExpectedCounter } from './expected-counters.ts';
import { type CappedEvents, countByUser } from './hot-rebuild.olap.ts';
import { CHUNK, setCounters } from './set-counters.ts';

/** Most users of one cap whose counters are rebuilt, latest first. */
const USERS_MAX = 500_000;

interface FrequencyDeps {
  readonly hot: RebuildTarget;
  readonly olap: Olap;
  readonly readSums: ReadCountedSums;
  readonly catalog: Catalog;
  readonly nowMs: () => number;
}

/** Whose caps are counted, and of which events. */
interface Capped {
  readonly workspaceId: number;
  readonly scope: FrequencyScope;
  readonly id: string;
  readonly caps: readonly FrequencyCap[];
  readonly column: CappedEvents['column'];
  /** What the column holds. */
  readonly ids: readonly [string, ...string[]];
  /** The sums of these events. */
  readonly own: readonly CountedSum[];
}

interface CapOwner {
  readonly scope: Exclude<FrequencyScope, 'la'>;
  readonly column: CappedEvents['column'];
  readonly idOf: (sum: CountedSum) => string;
  readonly capsOf: (catalog: Catalog, workspaceId: number, id: string) => readonly FrequencyCap[] | undefined;
}

const CAP_OWNERS: readonly CapOwner[] = [
  {
    scope: 'cr',
    column: 'creative_id',
    idOf: (sum) => sum.creativeId,
    capsOf: (catalog, at, id) => catalog.findCreative(at, id)?.frequencyCaps,
  },
  {
    scope: 'li',
    column: 'line_item_id',
    idOf: (sum) => sum.lineItemId,
    capsOf: (catalog, at, id) => catalog.findLineItem(at, id)?.frequencyCaps,
  },
  {
    scope: 'ca',
    column: 'campaign_id',
    idOf: (sum) => sum.campaignId,
    capsOf: (catalog, at, id) => catalog.findCampaign(at, id)?.frequencyCaps,
  },
  {
    scope: 'ad',
    column: 'advertiser_id',
    idOf: (sum) => sum.advertiserId,
    capsOf: (catalog, at, id) => catalog.findAdvertiser(at, id)?.frequencyCaps,
  },
];

/**
 * Frequency counters of events that name their user, plus the additions of counted lines, which are taken out of `expected`: one cap's
 * users at a time, since all caps together may not fit into memory. A window begins with the user's first event within its length: when
 * windows followed each other, it may end later than the lost one, never earlier.
 * @returns how many counters
 */
export async function setFrequencies(deps: FrequencyDeps, expected: Map<string, ExpectedCounter>): Promise<number> {
  const sums = await deps.readSums({ timezone: null, fromMs: 0 });
  let counters = 0;
  for (const owner of CAP_OWNERS) {
    const byOwner = Map.groupBy(sums, (sum) => `${sum.workspaceId}/${owner.idOf(sum)}`);
    for (const own of byOwner.values()) counters += await setFrequenciesOf(deps, expected, cappedBy(owner, own, deps));
  }
  for (const capped of listCappedLabels(sums, deps.catalog)) counters += await setFrequenciesOf(deps, expected, capped);
  return counters;
}

/** @param own the sums of one object; at least one */
function cappedBy(owner: CapOwner, own: readonly CountedSum[], { catalog }: FrequencyDeps): Capped {
  const [first] = own as [CountedSum];
  const { workspaceId } = first;
  const id = owner.idOf(first);
  const caps = owner.capsOf(catalog, workspaceId, id) ?? [];
  return { workspaceId, scope: owner.scope, id, caps, column: owner.column, ids: [id], own };
}

/** The capped labels, with the line items that bear them now, themselves or by a parent. */
function listCappedLabels(sums: readonly CountedSum[], catalog: Catalog): Capped[] {
  const byLabel = new Map<
    string,
    { workspaceId: number; label: string; caps: readonly FrequencyCap[]; own: CountedSum[] }
  >();
  for (const sum of sums) {
    const { workspaceId } = sum;
    const lineItem = catalog.findLineItem(workspaceId, sum.lineItemId);
    const campaign = catalog.findCampaign(workspaceId, sum.campaignId);
    const advertiser = catalog.findAdvertiser(workspaceId, sum.advertiserId);
    const { labelCaps } = catalog.findWorkspaceById(workspaceId) ?? {};
    for (const { label, frequencyCaps: caps } of labelCapsOf(labelCaps, { lineItem, campaign, advertiser })) {
      const key = `${workspaceId}/${label}`;
      const known = byLabel.get(key);
      if (known === undefined) byLabel.set(key, { workspaceId, label, caps, own: [sum] });
      else known.own.push(sum);
    }
  }
  return [...byLabel.values()].map(({ workspaceId, label, caps, own }) => {
    const ids = [...new Set(own.map(({ lineItemId }) => lineItemId))] as [string, ...string[]];
    return { workspaceId, scope: 'la', id: labelCounterId(label), caps, column: 'line_item_id', ids, own };
  });
}

async function setFrequenciesOf(
  { hot, olap, catalog, nowMs }: FrequencyDeps,
  expected: Map<string, ExpectedCounter>,
  { workspaceId, scope, id, caps, column, ids, own }: Capped,
): Promise<number> {
  const isCompanion = (creativeId: string): boolean =>
    (catalog.findCreative(workspaceId, creativeId)?.masterCreativeId ?? null) !== null;
  const besides = scope === 'cr' ? [] : own.map(({ creativeId }) => creativeId).filter(isCompanion);
  const [firstId, ...moreIds] = ids;
  let counters = 0;
  // Caps of one window and event share a counter. Events name no household: those counters begin again.
  const perUser = caps.filter(({ per }) => per === undefined);
  for (const [cap] of Map.groupBy(perUser, frequencyCapTail).values()) {
    if (cap === undefined) continue;
    const windowMs = frequencyWindowMs(cap);
    const kind = cap.event === 'CLICKS' ? 'click' : 'impression';
    const users = await countByUser(olap, {
      workspaceId,
      column,
      id: firstId,
      // An older core knows one id alone.
      ...(moreIds.length === 0 ? {} : { moreIds }),
      kind,
      withoutCreatives: kind === 'impression' ? besides : [],
      fromMs: Math.max(0, nowMs() - windowMs),
      usersMax: USERS_MAX,
    });
    for (let start = 0; start < users.length; start += CHUNK) {
      const part = new Map<string, ExpectedCounter>();
      for (const { userHash, count, firstMs } of users.slice(start, start + CHUNK)) {
        const key = frequencyCounterKey({ workspaceId, userHash, scope, id, cap });
        const value = count + (expected.get(key)?.value ?? 0n);
        expected.delete(key);
        part.set(key, { value, ttlMs: Math.max(1_000, firstMs + windowMs - nowMs()) });
      }
      await setCounters(hot, part);
    }
    counters += users.length;
  }
  return counters;
}
