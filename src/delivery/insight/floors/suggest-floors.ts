import { FLOOR_SUGGESTIONS_MAX } from '../../../domain/booking/delivery-insight.ts';
import type { FloorQuestion, FloorSuggestion } from '../../../domain/booking/delivery-insight.ts';
import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import { compileWorkspace } from '../../decision/index/compile-workspace.ts';
import type { TrafficSample } from '../../traffic/parse-sample.ts';
import { suggestFloor } from './floor-effects.ts';
import { findOffers, listRateCounters, withoutUnitFloors } from './floor-offers.ts';
import type { UnitOffer } from './floor-offers.ts';

const HOUR_MS = 3_600_000;
const IMPRESSIONS_PER_CPM = 1_000;
const PERCENT = 100;

/** The small parts of the work. */
export interface FloorJob {
  readonly question: FloorQuestion;
  readonly nowMs: number;
}

/** The input of suggestions. */
export interface FloorInput extends FloorJob {
  /** By `narrowToPrice`. */
  readonly snapshot: WorkspaceSnapshot;
  /** Null: nothing was sampled yet. */
  readonly sample: TrafficSample | null;
}

/** Suggestions that wait for the counters behind bids. */
export interface PreparedFloors {
  readonly counterKeys: readonly string[];
  /** @param counters missing ones are 0 */
  finish(counters: ReadonlyMap<string, number>): FloorSuggestion[];
}

/** Compares floors on the sampled requests. Takes up to seconds, so run it in a separate thread. */
export function prepareFloors(input: FloorInput): PreparedFloors {
  return {
    counterKeys: input.sample === null ? [] : listRateCounters(input.snapshot),
    finish: (counters) => (input.sample === null ? [] : suggestFor(input, input.sample, counters)),
  };
}

function suggestFor(
  { snapshot, question, nowMs }: FloorInput,
  sample: TrafficSample,
  counters: ReadonlyMap<string, number>,
): FloorSuggestion[] {
  const offers = Map.groupBy(listOffers(snapshot, sample, { nowMs, counters }), ({ adUnitId }) => adUnitId);
  const asked = question.adUnitIds === null ? null : new Set(question.adUnitIds);
  const bidShare = 1 - question.headerBidShadingPercent / PERCENT;
  // For how many requests a sampled one stands.
  const weight = sample.met / Math.max(1, sample.entries.length);
  const found: FloorSuggestion[] = [];
  for (const { id, name, floorMicros, status } of snapshot.adUnits) {
    const ofUnit = offers.get(id);
    if (ofUnit === undefined || status !== 'ACTIVE' || asked?.has(id) === false) continue;
    const effect = suggestFloor(ofUnit, { presentFloor: floorMicros, bidShare });
    if (effect === null) continue;
    const money = (sum: number): number => Math.round((sum * weight) / IMPRESSIONS_PER_CPM);
    found.push({
      adUnitId: id,
      name,
      floorMicros,
      suggestedFloorMicros: effect.floor,
      paidSlots: Math.round(effect.paidBefore * weight),
      suggestedPaidSlots: Math.round(effect.paidAfter * weight),
      revenueMicros: money(effect.revenueBefore),
      gainMicros: money(effect.gain),
      gainLowMicros: money(effect.gainLow),
      gainHighMicros: money(effect.gainHigh),
      sampleSize: ofUnit.filter(({ booked, exempt, headerBid }) => Math.max(booked, exempt, headerBid) > 0).length,
      sampledHours: Math.round(((sample.untilMs - sample.fromMs) / HOUR_MS) * 10) / 10,
    });
  }
  return found.sort((left, right) => right.gainMicros - left.gainMicros).slice(0, FLOOR_SUGGESTIONS_MAX);
}

function listOffers(
  snapshot: WorkspaceSnapshot,
  { entries }: TrafficSample,
  { nowMs, counters }: { readonly nowMs: number; readonly counters: ReadonlyMap<string, number> },
): UnitOffer[] {
  const compiled = compileWorkspace(withoutUnitFloors(snapshot), nowMs, () => {});
  const users = new Map<string, number>();
  const counter = (key: string): number => counters.get(key) ?? 0;
  // In order of their buckets, so that the halves by which floors are chosen and measured are the same each time.
  return entries
    .toSorted((left, right) => left.bucket - right.bucket)
    .flatMap((entry, at) => {
      const name = entry.opportunity.userHash === '' ? `request ${at}` : entry.opportunity.userHash;
      const user = users.get(name) ?? users.size;
      users.set(name, user);
      return [...findOffers(compiled, entry, { user, counter })];
    });
}
