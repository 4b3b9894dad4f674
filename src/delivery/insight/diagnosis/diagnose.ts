import type {
  DeliveryChange,
  DeliveryDiagnosis,
  DeliveryRival,
  HourlyReasons,
  ReasonCount,
} from '../../../domain/booking/delivery-insight.ts';
import {
  constantValue,
  countValue,
  moneyValue,
  nameValue,
  percentValue,
  termValue,
  textOf,
  writeEnglish,
  type DeliveryText,
} from '../../../domain/booking/delivery-text.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import { listBookedCauses } from './booked-causes.ts';
import type { BookedState } from './booked-state.sql.ts';
import { toCause } from './cause.ts';
import type { Cause } from './cause.ts';
import type { ChangeInput } from './change.ts';
import { writeChangeDocument } from './change-documents.ts';
import { makeChange } from './changes.ts';
import type { ExactCounters, GoalState } from './exact-counters.ts';
import { adviceOf, adviseOn, describeReason, type Advice } from './reason-texts.ts';
import type { Gain, SampledCauses, Unasked } from './sampled-causes.ts';

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
  readonly texts: readonly DeliveryText[];
  readonly advice: Advice;
  /** The causes to change, the main one first; `gain` null = not known. */
  readonly causes: readonly { readonly cause: Cause; readonly gain: Gain | null }[];
  /** How many of the causes, from the first on, must be removed together. Default: each helps alone. */
  readonly together?: number;
}

const CHANGES_MAX = 5;
const RIVALS_MAX = 5;
/** So many reasons in one sentence. */
const REASONS_MAX = 3;
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
  const { code, texts, advice, causes, together = 1 } = finding;
  const rivals = listRivals(input);
  return {
    code,
    sentence: writeEnglish(texts),
    texts,
    advice: advice.sentence,
    adviceText: advice.text,
    hours,
    opportunities: sampled?.total ?? 0,
    inReach: sampled?.inReach ?? 0,
    numbers,
    byHour,
    changes: causes.slice(0, CHANGES_MAX).flatMap(({ cause, gain }) => toChange(input, cause, gain)),
    changesTogether: Math.min(together, causes.length, CHANGES_MAX),
    rivals,
  };
}

const NO_SAMPLE: Finding = {
  code: 'no_sample',
  texts: [textOf('no_sample')],
  advice: adviceOf('advise_no_sample'),
  causes: [],
};

/** What its bookings say. */
function findBooked({ booked, nowMs, isLive }: DiagnosisInput): Finding | null {
  const [first, ...others] = booked === undefined ? [] : listBookedCauses(booked, nowMs);
  if (first !== undefined) return cannotServe(first, others);
  if (booked !== undefined && isLive) return null;
  return {
    code: 'unknown',
    texts: [textOf('unknown')],
    advice: adviceOf('advise_unknown'),
    causes: [],
  };
}

function cannotServe(first: Cause, others: readonly Cause[], gains: readonly Gain[] = []): Finding {
  const gainOf = ({ code }: Cause): Gain | null => gains.find(({ test }) => toCause(test).code === code) ?? null;
  return {
    code: first.code,
    texts: [textOf('cannot_serve'), first.text ?? describeReason(first.code)],
    advice: adviseOn(first.code),
    causes: [first, ...others].map((cause) => ({ cause, gain: gainOf(cause) })),
    together: 1 + others.length,
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
      texts: [textOf('no_traffic', { hours: countValue(input.hours) })],
      advice: adviceOf('advise_no_traffic'),
      causes: [],
    };
  if (sampled.unasked !== null) return notAskedFor(input, sampled.unasked);
  const goal = input.exact?.goal ?? null;
  const isBehind = goal !== null && isBehindPlan(goal);
  const all = [...obstacles, ...widenings];
  if (won > lost && !isBehind) return isNotShown(input) ? notShown(input, sampled) : delivering(input, sampled);
  if (won <= lost && sampled.together.length > 1) return becauseOfAll(input, sampled, sampled.together);
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

function describeSeen({ hours, exact }: DiagnosisInput, { total, inReach, won }: SampledCauses): DeliveryText[] {
  const goal = exact?.goal ?? null;
  const seen = textOf('seen', {
    opportunities: countValue(total),
    hours: countValue(hours),
    inReach: countValue(inReach),
    won: countValue(won),
    percent: percentValue(won, inReach),
  });
  if (goal === null) return [seen];
  const reached = { delivered: countValue(goal.delivered), amount: countValue(goal.amount) };
  return goal.expected === null
    ? [textOf('goal', reached), seen]
    : [textOf('goal_expected', { ...reached, expected: countValue(goal.expected) }), seen];
}

function delivering(input: DiagnosisInput, sampled: SampledCauses): Finding {
  const texts = [...describeSeen(input, sampled), textOf('delivering')];
  return { code: 'delivering', texts, advice: adviseOn('delivering'), causes: [] };
}

function notShown(input: DiagnosisInput, sampled: SampledCauses): Finding {
  const { responses = 0, impressions = 0 } = input.exact ?? {};
  const shown = textOf('not_shown', { impressions: countValue(impressions), responses: countValue(responses) });
  const texts = [...describeSeen(input, sampled), shown];
  return { code: 'not_shown', texts, advice: adviceOf('advise_not_shown'), causes: [] };
}

function tooLittle(input: DiagnosisInput, sampled: SampledCauses): Finding {
  const texts = [...describeSeen(input, sampled), textOf('too_little')];
  return { code: 'behind', texts, advice: adviceOf('advise_too_little'), causes: [] };
}

function because(input: DiagnosisInput, sampled: SampledCauses, gains: readonly Gain[]): Finding {
  const [main] = gains;
  if (main === undefined) return tooLittle(input, sampled);
  const { code, detail } = toCause(main.test);
  const { opportunities } = main;
  const gained = opportunities === 0 ? [] : [textOf('alone', { opportunities: countValue(opportunities) })];
  return {
    code,
    texts: [
      ...describeSeen(input, sampled),
      textOf('most_lost'),
      describeReason(code, detail),
      ...describeRival(input, main),
      ...gained,
    ],
    advice: adviseOn(code),
    causes: gains.map((gain) => ({ cause: toCause(gain.test), gain })),
  };
}

/** Nothing is won before all of them are changed. */
function becauseOfAll(input: DiagnosisInput, sampled: SampledCauses, together: readonly Gain[]): Finding {
  const causes = together.map((gain) => ({ cause: toCause(gain.test), gain }));
  const code = causes[0]?.cause.code ?? '';
  const reasons = causes.slice(0, REASONS_MAX).flatMap(({ cause }, at) => {
    const reason = describeReason(cause.code, cause.detail);
    return at === 0 ? [reason] : [textOf('and_because'), reason];
  });
  const gained = textOf('together', { opportunities: countValue(together[0]?.opportunities ?? 0) });
  return {
    code,
    texts: [...describeSeen(input, sampled), textOf('most_lost'), ...reasons, gained],
    advice: adviseOn(code),
    causes,
    together: causes.length,
  };
}

function notAskedFor({ hours }: DiagnosisInput, kind: Unasked): Finding {
  const code = `no_traffic.${kind}`;
  return {
    code,
    texts: [textOf('no_traffic_for', { hours: countValue(hours), object: termValue(kind) })],
    advice: adviceOf('advise_not_asked'),
    causes: [{ cause: { code, detail: '' }, gain: null }],
  };
}

function describeRival({ findRival }: DiagnosisInput, { winners }: Gain): DeliveryText[] {
  const rival = winners[0] === undefined ? null : findRival(winners[0].lineItemId);
  if (rival === null) return [];
  const { name, type, level, bidMicros } = rival;
  const values = {
    name: nameValue(name),
    type: constantValue(type),
    level: countValue(level),
    bid: moneyValue(formatMicros(BigInt(Math.round(bidMicros)))),
  };
  return [textOf('rival', values)];
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
  const goal = exact?.goal ?? null;
  const isOnPlan = goal !== null && goal.expected !== null && !isBehindPlan(goal);
  const asked: ChangeInput = { booked, nowMs, valueMicros, isOnPlan, rival };
  const change = makeChange(asked, cause);
  const gained = countGain(input, cause, change === null && cause.code === 'lost.plan' ? null : gain);
  if (change === null) {
    const outside = { mutation: null, document: null, variables: null, missing: [] };
    const { sentence, text } = adviseOn(cause.code);
    return [{ code: cause.code, sentence, text, ...outside, ...gained }];
  }
  const { text, missing } = change;
  return [
    { code: cause.code, sentence: writeEnglish([text]), text, ...writeChangeDocument(change), missing, ...gained },
  ];
}

/** What a change gains alone. From the allocation plan, a goal gets no more than it lacks. */
function countGain(
  { booked, exact }: DiagnosisInput,
  { code }: Cause,
  gain: Gain | null,
): Pick<DeliveryChange, 'opportunities' | 'impressions'> {
  if (gain === null) return { opportunities: null, impressions: null };
  const shown = exact === null ? 1 : shownShare(exact);
  const goal = booked?.lineItem.goal?.kind === 'IMPRESSIONS' ? (exact?.goal ?? null) : null;
  const lacking =
    code !== 'lost.plan' || goal === null ? Number.POSITIVE_INFINITY : Math.max(0, goal.amount - goal.delivered);
  const impressions = Math.round(Math.min(gain.opportunities * shown, lacking));
  const opportunities = Math.min(gain.opportunities, shown === 0 ? gain.opportunities : Math.ceil(lacking / shown));
  return { opportunities, impressions };
}
