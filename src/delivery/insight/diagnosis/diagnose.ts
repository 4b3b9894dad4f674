import type {
  DeliveryChange,
  DeliveryDiagnosis,
  DeliveryRival,
  HourlyReasons,
  ReasonCount,
} from '../../../domain/booking/delivery-insight.ts';
import { listBookedCauses } from './booked-causes.ts';
import type { BookedState } from './booked-state.sql.ts';
import { toCause } from './cause.ts';
import type { Cause } from './cause.ts';
import type { ChangeInput } from './change.ts';
import { writeChangeDocument } from './change-documents.ts';
import { makeChange } from './changes.ts';
import type { ExactCounters, GoalState } from './exact-counters.ts';
import { describeReason } from './reason-texts.ts';
import type { Gain, SampledCauses } from './sampled-causes.ts';

/** A line item that may be a rival; `sharePercent` null = none. */
export type RivalRecord = Omit<DeliveryRival, 'opportunities'> & { readonly sharePercent: number | null };

/** The input of a diagnosis. */
export interface DiagnosisInput {
  readonly hours: number;
  readonly nowMs: number;
  /** Undefined: the line item is not booked in this workspace. */
  readonly booked: BookedState | undefined;
  /** Delivery's snapshot has it among those that may serve. */
  readonly isLive: boolean;
  /** Null: the hot store does not tell, or the line item is not live. */
  readonly exact: ExactCounters | null;
  /** Null: the analytics store does not tell. */
  readonly sampled: SampledCauses | null;
  readonly numbers: readonly ReasonCount[];
  readonly byHour: readonly HourlyReasons[];
  /** Its expected earning of a thousand impressions, micros; 0 = unknown. */
  readonly valueMicros: number;
  readonly findRival: (lineItemId: string) => RivalRecord | null;
}

/** What was found, before it becomes sentences and changes. */
interface Finding {
  readonly code: string;
  readonly sentence: string;
  readonly advice: string;
  /** The causes to change, the main one first; `gain` null = not known. */
  readonly causes: readonly { readonly cause: Cause; readonly gain: Gain | null }[];
}

const CHANGES_MAX = 5;
const RIVALS_MAX = 5;
/** A line item that has reached less than this share of its plan's figure is behind; smaller figures are not looked at. */
const BEHIND_SHARE = 0.9;
const EXPECTED_MIN = 10;
/** From so many served ads on, the share that is shown says something; below so much of it, they are not shown. */
const RESPONSES_MIN = 50;
const SHOWN_SHARE_MIN = 0.1;

/** Finds what stands most in the way of a line item, in numbers and with the change to make. */
export function diagnose(input: DiagnosisInput): DeliveryDiagnosis {
  const { hours, sampled, numbers, byHour } = input;
  const finding =
    findBooked(input) ?? findReached(input) ?? (sampled === null ? NO_SAMPLE : findSampled(input, sampled));
  const { code, sentence, advice, causes } = finding;
  const rivals = listRivals(input);
  return {
    code,
    sentence,
    advice,
    hours,
    opportunities: sampled?.total ?? 0,
    inReach: sampled?.inReach ?? 0,
    numbers,
    byHour,
    changes: causes.slice(0, CHANGES_MAX).flatMap(({ cause, gain }) => toChange(input, cause, gain)),
    rivals,
  };
}

const NO_SAMPLE: Finding = {
  code: 'no_sample',
  sentence: 'It may serve, but the analytics store does not tell the outcomes of its opportunities.',
  advice: 'Look again when the analytics store responds.',
  causes: [],
};

/** What its bookings say. */
function findBooked({ booked, nowMs, isLive }: DiagnosisInput): Finding | null {
  const [first, ...others] = booked === undefined ? [] : listBookedCauses(booked, nowMs);
  if (first !== undefined) return cannotServe(first, others);
  if (booked !== undefined && isLive) return null;
  return {
    code: 'unknown',
    sentence: 'Delivery does not know this line item.',
    advice: 'Set it to ACTIVE, and look again in a few seconds.',
    causes: [],
  };
}

function cannotServe(first: Cause, others: readonly Cause[], gains: readonly Gain[] = []): Finding {
  const { because, advice } = describeReason(first.code);
  const gainOf = ({ code }: Cause): Gain | null => gains.find(({ test }) => toCause(test).code === code) ?? null;
  return {
    code: first.code,
    sentence: `It cannot serve now, because ${first.because ?? because}.`,
    advice,
    causes: [first, ...others].map((cause) => ({ cause, gain: gainOf(cause) })),
  };
}

/** What its counters say. */
function findReached({ exact, sampled }: DiagnosisInput): Finding | null {
  const [first, ...others] = exact?.reached ?? [];
  return first === undefined ? null : cannotServe(first, others, sampled?.obstacles ?? []);
}

/** What the sample of decisions says. */
function findSampled(input: DiagnosisInput, sampled: SampledCauses): Finding {
  const { total, won, lost, obstacles, widenings } = sampled;
  if (total === 0)
    return {
      code: 'no_traffic',
      sentence: `No requests were seen in the last ${input.hours} hours.`,
      advice: 'Check that pages request ads of this network.',
      causes: [],
    };
  const goal = input.exact?.goal ?? null;
  const isBehind = goal !== null && isBehindPlan(goal);
  const all = [...obstacles, ...widenings];
  if (won > lost && !isBehind) return isNotShown(input) ? notShown(input, sampled) : delivering(input, sampled);
  if (!isBehind) return because(input, sampled, all);
  // One that is behind its plan waits for nothing: its earlier refusals are not the cause.
  const gaining = all.filter(({ test }) => test !== 'pacing' && test !== 'better_unit');
  // A line item that loses most of its reach has an obstacle; one that wins most of it has too little reach.
  const sorted = won > lost ? gaining.toSorted((one, other) => other.opportunities - one.opportunities) : gaining;
  return sorted.length === 0 ? tooLittle(input, sampled) : because(input, sampled, sorted);
}

function isBehindPlan({ delivered, expected }: GoalState): boolean {
  return expected !== null && expected >= EXPECTED_MIN && delivered < expected * BEHIND_SHARE;
}

function isNotShown({ exact }: DiagnosisInput): boolean {
  return exact !== null && exact.responses >= RESPONSES_MIN && shownShare(exact) < SHOWN_SHARE_MIN;
}

/** The share of its ads in responses that are shown; 1 while there are too few to tell. */
function shownShare({ responses, impressions }: ExactCounters): number {
  return responses < RESPONSES_MIN ? 1 : Math.min(1, impressions / responses);
}

function share(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10} %`;
}

function describeSeen({ hours, exact }: DiagnosisInput, { total, inReach, won }: SampledCauses): string {
  const goal = exact?.goal ?? null;
  const expected = goal === null || goal.expected === null ? '' : `, ${Math.round(goal.expected)} expected by now`;
  const state = goal === null ? '' : `It has ${goal.delivered} of its goal of ${goal.amount}${expected}. `;
  const seen = `Of about ${total} opportunities in the last ${hours} hours, ${inReach} match what it is booked for, and it took ${won}`;
  return `${state}${seen} (${share(won, inReach)})`;
}

function delivering(input: DiagnosisInput, sampled: SampledCauses): Finding {
  const sentence = `${describeSeen(input, sampled)}: most of those that were meant for it.`;
  return { code: 'delivering', sentence, advice: '', causes: [] };
}

function notShown(input: DiagnosisInput, sampled: SampledCauses): Finding {
  const { because: text, advice } = describeReason('not_shown');
  const { responses = 0, impressions = 0 } = input.exact ?? {};
  const sentence = `${describeSeen(input, sampled)}, but ${text}: ${impressions} of ${responses}.`;
  return { code: 'not_shown', sentence, advice, causes: [] };
}

function tooLittle(input: DiagnosisInput, sampled: SampledCauses): Finding {
  const sentence = `${describeSeen(input, sampled)}: all that there is, and too little for its goal.`;
  const advice = 'Lower the goal, move its end, or send more traffic.';
  return { code: 'behind', sentence, advice, causes: [] };
}

function because(input: DiagnosisInput, sampled: SampledCauses, gains: readonly Gain[]): Finding {
  const [main] = gains;
  if (main === undefined) return tooLittle(input, sampled);
  const { code, detail } = toCause(main.test);
  const { because: text, advice } = describeReason(code, detail);
  const rival = describeRival(input, main);
  const gained = main.opportunities === 0 ? '' : ` (${main.opportunities} for this alone)`;
  return {
    code,
    sentence: `${describeSeen(input, sampled)}; most others were lost because ${text}${rival}${gained}.`,
    advice,
    causes: gains.map((gain) => ({ cause: toCause(gain.test), gain })),
  };
}

function describeRival({ findRival }: DiagnosisInput, { winners }: Gain): string {
  const rival = winners[0] === undefined ? null : findRival(winners[0].lineItemId);
  if (rival === null) return '';
  return `, most of all ${rival.name} (${rival.type}, level ${rival.level}, ${rival.bidMicros / 1_000_000} CPM)`;
}

function listRivals({ sampled, findRival }: DiagnosisInput): DeliveryRival[] {
  const sums = new Map<string, number>();
  for (const { winners } of sampled?.obstacles ?? [])
    for (const { lineItemId, opportunities } of winners)
      sums.set(lineItemId, (sums.get(lineItemId) ?? 0) + opportunities);
  const sorted = [...sums].sort(([, one], [, other]) => other - one).slice(0, RIVALS_MAX);
  return sorted.flatMap(([id, opportunities]) => {
    const found = findRival(id);
    if (found === null) return [];
    const { lineItemId, name, type, level, bidMicros } = found;
    return [{ lineItemId, name, type, level, bidMicros, opportunities }];
  });
}

function toChange(input: DiagnosisInput, cause: Cause, gain: Gain | null): DeliveryChange[] {
  const { booked, nowMs, valueMicros, exact, findRival } = input;
  if (booked === undefined) return [];
  const [winner] = gain?.winners ?? [];
  const found = winner === undefined ? null : findRival(winner.lineItemId);
  const rival = found === null ? null : { ...found, valueMicros: found.bidMicros };
  const asked: ChangeInput = { booked, nowMs, valueMicros, rival };
  const change = makeChange(asked, cause);
  const opportunities = gain?.opportunities ?? null;
  const shown = exact === null ? 1 : shownShare(exact);
  const gained = {
    opportunities,
    impressions: opportunities === null ? null : Math.round(opportunities * shown),
  };
  if (change === null) {
    const outside = { mutation: null, document: null, variables: null, missing: [] };
    return [{ code: cause.code, sentence: describeReason(cause.code).advice, ...outside, ...gained }];
  }
  const { sentence, missing } = change;
  return [{ code: cause.code, sentence, ...writeChangeDocument(change), missing, ...gained }];
}
