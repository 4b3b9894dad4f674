import { aimMs } from '../../domain/pacing/pacing-plan.ts';
import { localDaySpan } from '../../domain/time/time-zone.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import type { CompiledLineItem } from '../decision/index/compile-line-items.ts';

/** Closer than this to the aim, the end itself counts. */
const AIM_LEFT_MS = 900_000;

/** An amount of impressions that a line item is to get within a time. A line item may have several. */
export interface PlanDemand {
  readonly position: number;
  readonly lineItemId: string;
  /** Responses. */
  readonly amount: number;
  /** The smallest one gets its amount first where not all fit. */
  readonly level: number;
  readonly startsAtMs: number;
  /** The opportunities up to then are planned for it; after that it serves what is missing, up to its end. */
  readonly aimsAtMs: number;
  readonly endsAtMs: number;
  /** The part of its opportunities whose users have not reached its frequency caps. */
  readonly reach: number;
  /** It prefers opportunities for which PRICE pays less; otherwise it takes an even share of all. */
  readonly heedsCost: boolean;
}

/** The delivery so far of a line item. */
export interface DeliveredSoFar {
  /** Goal events, of the flight or of the local day: as the goal counts. */
  readonly delivered: number;
  /** Goal events for each response. */
  readonly yield: number;
  /** The part of its opportunities, 0 to 1, whose users have not reached its frequency caps. */
  readonly reach: number;
}

/** The input of listing demands. */
export interface DemandContext {
  readonly fromMs: number;
  /** The plan ends then: goals that end later are planned in proportion. */
  readonly untilMs: number;
  /** The share of a goal that is spread evenly over all opportunities, whatever PRICE would pay: 0 to 1. */
  readonly representativeOf: (lineItem: CompiledLineItem) => number;
  readonly deliveredOf: (lineItem: CompiledLineItem) => DeliveredSoFar;
}

/** The demands of all STANDARD line items with a goal that can be planned. */
export function listDemands(compiled: CompiledWorkspace, context: DemandContext): PlanDemand[] {
  const demands: PlanDemand[] = [];
  const { competition, lineItems } = compiled;
  for (let position = 0; position < lineItems.length; position += 1) {
    if (competition.typeAt(position) !== 'STANDARD' || !competition.hasGoalAt(position)) continue;
    const lineItem = lineItems.at(position);
    const representative = context.representativeOf(lineItem);
    for (const part of partsOf(lineItem, context)) demands.push(...splitByCost({ ...part, position }, representative));
  }
  return demands;
}

type Part = Omit<PlanDemand, 'position' | 'heedsCost'>;

/** A goal of the flight is one part. A daily goal has one for today, and one for the days after it. */
function partsOf(lineItem: CompiledLineItem, { fromMs, untilMs, deliveredOf }: DemandContext): Part[] {
  const { goal, booked } = lineItem;
  const startsAtMs = Math.max(fromMs, lineItem.startsAtMs);
  const { endsAtMs } = lineItem;
  if (goal === null || endsAtMs <= fromMs || startsAtMs >= untilMs) return [];
  const { delivered, yield: ofResponse, reach } = deliveredOf(lineItem);
  // Where not all fit, those that serve as soon as possible go first within a level, as without a plan.
  const level = booked.level * 2 + (booked.pacing === 'ASAP' ? 0 : 1);
  const about = { lineItemId: booked.id, level, reach };
  const responses = (events: number) => Math.max(0, events) / Math.max(1e-6, ofResponse);
  if (goal.period === 'LIFETIME') {
    // Without an end there is no plan: such a line item serves as soon as possible.
    if (!Number.isFinite(endsAtMs)) return [];
    const aim = aimOf(lineItem, fromMs);
    const planned = Math.min(1, (untilMs - startsAtMs) / (aim - startsAtMs));
    const [aimsAtMs, end] = [Math.min(aim, untilMs), Math.min(endsAtMs, untilMs)];
    return [{ ...about, amount: responses(goal.amount - delivered) * planned, startsAtMs, aimsAtMs, endsAtMs: end }];
  }
  const today = localDaySpan(booked.timezone, startsAtMs);
  const dayEndMs = Math.min(today.endMs, endsAtMs, untilMs);
  const hasBegun = lineItem.startsAtMs <= fromMs;
  const rest =
    responses(goal.amount - (hasBegun ? delivered : 0)) * shareOf(startsAtMs, dayEndMs, today.endMs, endsAtMs);
  const parts: Part[] = [{ ...about, amount: rest, startsAtMs, aimsAtMs: dayEndMs, endsAtMs: dayEndMs }];
  const lastMs = Math.min(endsAtMs, untilMs);
  const days = (lastMs - dayEndMs) / (today.endMs - today.startMs);
  const later = { startsAtMs: dayEndMs, aimsAtMs: lastMs, endsAtMs: lastMs };
  if (days > 0) parts.push({ ...about, amount: responses(goal.amount) * days, ...later });
  return parts;
}

/** A goal of the flight is planned to be reached a little before its end; what is missing then has the time up to the end. */
function aimOf({ startsAtMs, endsAtMs }: CompiledLineItem, fromMs: number): number {
  const aimedMs = aimMs({ startMs: startsAtMs === 0 ? fromMs : startsAtMs, endMs: endsAtMs });
  return aimedMs > fromMs + AIM_LEFT_MS ? aimedMs : endsAtMs;
}

/** The part of the rest of a day's goal that falls before the end of the plan. */
function shareOf(startMs: number, endMs: number, dayEndMs: number, flightEndMs: number): number {
  const whole = Math.min(dayEndMs, flightEndMs) - startMs;
  return whole <= 0 ? 1 : Math.min(1, (endMs - startMs) / whole);
}

function splitByCost(demand: Omit<PlanDemand, 'heedsCost'>, representative: number): PlanDemand[] {
  if (demand.amount <= 0) return [];
  const parts = [
    { ...demand, amount: demand.amount * representative, heedsCost: false },
    { ...demand, amount: demand.amount * (1 - representative), heedsCost: true },
  ];
  return parts.filter(({ amount }) => amount > 0);
}
