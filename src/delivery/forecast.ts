import type { Forecast, ForecastDraft } from '../domain/delivery-insight.ts';
import { NO_CAPS } from '../domain/line-item.ts';
import type { Advertiser, Campaign, LineItem } from '../domain/line-item.ts';
import type { Creative, CreativeContent, MediaType } from '../domain/creative.ts';
import type { WorkspaceSnapshot } from '../domain/snapshot.ts';
import type { CompiledLineItem, RowMemo } from './compile-rows.ts';
import type { CompiledWorkspace } from './compile.ts';
import { compileSteps } from './compile.ts';
import { decide } from './decide.ts';
import type { Placement } from './decide.ts';
import type { DeliveryState } from './delivery-state.ts';
import type { OpportunitySample } from './opportunity-sample.ts';
import type { PacingState } from './pacing.ts';
import { isOutOfReach } from './reason-texts.ts';
import { AnswerSoFar, checkLineItem } from './eligibility.ts';
import { makeSlotContext } from './slot-context.ts';
import { findFailedDimension } from './targeting.ts';
import type { WorkSteps } from './work-steps.ts';

/** Stands for the draft; real ids are below 10¹⁸. */
const DRAFT_ID = '999999999999999999';
const CONTENDERS_MAX = 20;
const DAY_MS = 86_400_000;
/** A goal of a flight without start or end is taken for that of a month. */
const DAYS_OF_OPEN_FLIGHT = 30;
const VIEWABLE_RATE = 0.5;
/** What was met within the first hour is taken for what an hour brings. */
const DAYS_MIN = 1 / 24;

/** What a forecast is made from. */
export interface ForecastInput {
  readonly snapshot: WorkspaceSnapshot;
  readonly draft: ForecastDraft;
  /** For each worker, its samples. */
  readonly samples: readonly (readonly OpportunitySample[])[];
  readonly nowMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/**
 * Replays the sample of past opportunities with and without a draft line item, in steps. Line items with a goal take what it asks of
 * a day, and no more. Caps and budgets count as not reached, so that `available` and `possible` are cautious.
 */
export function* forecastSteps(input: ForecastInput): WorkSteps<Forecast> {
  const { snapshot, draft, samples, nowMs, random } = input;
  const booked = openFlights(withoutLineItem(snapshot, draft.lineItemId), draft);
  const memo: RowMemo = new WeakMap();
  const refuse = (): void => {};
  const without = yield* compileSteps(booked, { nowMs, refuse, memo });
  const withDraft = yield* compileSteps(addDraft(booked, draft), { nowMs, refuse, memo });
  const row = withDraft.rows.find(({ lineItem }) => lineItem.id === DRAFT_ID);
  const goals = new DailyGoals(snapshot);
  const goalsWithDraft = new DailyGoals(snapshot);
  const daily = { met: 0, matched: 0, available: 0, possible: 0 };
  const contenders = new Map<string, number>();
  for (const { sample, daysOfWorker } of samples.flatMap(withDays)) {
    const weight = sample.met / Math.max(1, sample.entries.length) / daysOfWorker;
    for (const entry of sample.entries) {
      yield;
      daily.met += weight;
      if (row === undefined) continue;
      replay({ without, withDraft, row, random, weight, goals, goalsWithDraft }, entry, (what, lineItemId) => {
        daily[what] += weight;
        if (lineItemId !== null) contenders.set(lineItemId, (contenders.get(lineItemId) ?? 0) + weight);
      });
    }
  }
  const days = Math.max(0, draft.endsAtMs - Math.max(nowMs, draft.startsAtMs)) / DAY_MS;
  const round = (perDay: number) => Math.round(perDay * days);
  return {
    opportunities: round(daily.met),
    matched: round(daily.matched),
    available: round(daily.available),
    possible: round(daily.possible),
    sampleSize: samples.flat().reduce((sum, { entries }) => sum + entries.length, 0),
    sampledHours: Math.round(Math.max(0, ...samples.map((own) => daysOf(own) * 24)) * 10) / 10,
    contending: [...contenders]
      .sort(([, left], [, right]) => right - left)
      .slice(0, CONTENDERS_MAX)
      .map(([lineItemId, count]) => ({
        lineItemId,
        name: snapshot.lineItems.find(({ id }) => id === lineItemId)?.name ?? '',
        opportunities: round(count),
      })),
  };
}

function daysOf(samples: readonly OpportunitySample[]): number {
  return samples.reduce((sum, { fromMs, untilMs }) => sum + Math.max(0, untilMs - fromMs), 0) / DAY_MS;
}

/** Rates of workers add up; the samples of one worker follow each other and share its days. */
function withDays(own: readonly OpportunitySample[]): { sample: OpportunitySample; daysOfWorker: number }[] {
  const daysOfWorker = Math.max(daysOf(own), DAYS_MIN);
  return own.map((sample) => ({ sample, daysOfWorker }));
}

interface Rivals {
  readonly without: CompiledWorkspace;
  readonly withDraft: CompiledWorkspace;
  /** The draft in `withDraft`. */
  readonly row: CompiledLineItem;
  readonly random: () => number;
  /** How many opportunities a day one of the sample stands for. */
  readonly weight: number;
  readonly goals: DailyGoals;
  readonly goalsWithDraft: DailyGoals;
}

type Note = (what: 'matched' | 'available' | 'possible', contender: string | null) => void;

/** One opportunity: did the draft match a slot, was the slot to be had, and did it win it. */
function replay(
  { without, withDraft, row, random, weight, goals, goalsWithDraft }: Rivals,
  { opportunity, atMs }: OpportunitySample['entries'][number],
  note: Note,
): void {
  const context = { state: NOTHING_DELIVERED, nowMs: atMs, random };
  const matched = opportunity.slots.map((slot) => {
    const there = makeSlotContext(withDraft, opportunity, { slot, answer: new AnswerSoFar(), context });
    if (findFailedDimension(row.lineItem.targeting, row.lineItem.timezone, there.facts) !== null) return false;
    const found = checkLineItem(row, there);
    return typeof found !== 'string' || !isOutOfReach(found);
  });
  if (!matched.includes(true)) return;
  const before = decide(without, opportunity, { ...context, state: goals }).placements;
  const after = decide(withDraft, opportunity, { ...context, state: goalsWithDraft }).placements;
  goals.note(before, weight);
  goalsWithDraft.note(after, weight);
  for (const [at, isMatch] of matched.entries()) {
    if (!isMatch) continue;
    const holder = before[at]?.row ?? null;
    note('matched', holder === null ? null : holder.lineItem.id);
    if (holder === null || holder.group >= row.group) note('available', null);
    if (after[at]?.row.lineItem.id === DRAFT_ID) note('possible', null);
  }
}

/** What line items with a goal have taken of what it asks of a day: a state in which nothing else was delivered. */
class DailyGoals implements DeliveryState {
  readonly #wanted = new Map<string, number>();
  readonly #taken = new Map<string, number>();

  constructor({ lineItems }: WorkspaceSnapshot) {
    for (const lineItem of lineItems) this.#wanted.set(lineItem.id, wantedPerDay(lineItem));
  }

  counter(): number {
    return 0;
  }

  pace({ lineItem }: CompiledLineItem): PacingState {
    const wanted = this.#wanted.get(lineItem.id) ?? Number.POSITIVE_INFINITY;
    const taken = this.#taken.get(lineItem.id) ?? 0;
    return { wants: taken < wanted, urgency: Number.isFinite(wanted) ? 1 - taken / wanted : 0 };
  }

  note(placements: readonly (Placement | null)[], weight: number): void {
    for (const placement of placements) {
      if (placement === null || placement.row.lineItem.goal === null) continue;
      const { id } = placement.row.lineItem;
      this.#taken.set(id, (this.#taken.get(id) ?? 0) + weight);
    }
  }
}

/** Impressions a day that a goal asks for; goals of clicks and conversions want all that they can get. */
function wantedPerDay({ goal, startsAtMs, endsAtMs }: LineItem): number {
  if (goal === null || goal.kind === 'CLICKS' || goal.kind === 'CONVERSIONS') return Number.POSITIVE_INFINITY;
  const impressions = goal.kind === 'VIEWABLE_IMPRESSIONS' ? goal.amount / VIEWABLE_RATE : goal.amount;
  if (goal.period === 'DAY') return impressions;
  const isPlanned = startsAtMs !== null && endsAtMs !== null && endsAtMs > startsAtMs;
  return impressions / (isPlanned ? (endsAtMs - startsAtMs) / DAY_MS : DAYS_OF_OPEN_FLIGHT);
}

const NOTHING_DELIVERED: DeliveryState = {
  counter: () => 0,
  pace: () => ({ wants: true, urgency: 0 }),
  isUsedUp: () => false,
};

function withoutLineItem(snapshot: WorkspaceSnapshot, lineItemId: string | null): WorkspaceSnapshot {
  if (lineItemId === null) return snapshot;
  return { ...snapshot, lineItems: snapshot.lineItems.filter(({ id }) => id !== lineItemId) };
}

/** Whatever is booked for any part of the draft's flight competes over all of it; other bookings are left out. */
function openFlights(snapshot: WorkspaceSnapshot, draft: ForecastDraft): WorkspaceSnapshot {
  const overlaps = ({ startsAtMs, endsAtMs }: { startsAtMs: number | null; endsAtMs: number | null }) =>
    (startsAtMs ?? 0) < draft.endsAtMs && (endsAtMs ?? Number.POSITIVE_INFINITY) > draft.startsAtMs;
  const open = <T extends { startsAtMs: number | null; endsAtMs: number | null }>(rows: readonly T[]): T[] =>
    rows.filter(overlaps).map((row) => ({ ...row, startsAtMs: null, endsAtMs: null }));
  return {
    ...snapshot,
    workspace: { ...snapshot.workspace, status: 'ACTIVE' },
    lineItems: open(snapshot.lineItems),
    campaigns: open(snapshot.campaigns),
    creatives: open(snapshot.creatives),
  };
}

function addDraft(snapshot: WorkspaceSnapshot, draft: ForecastDraft): WorkspaceSnapshot {
  return {
    ...snapshot,
    advertisers: [...snapshot.advertisers, DRAFT_ADVERTISER],
    campaigns: [...snapshot.campaigns, DRAFT_CAMPAIGN],
    lineItems: [...snapshot.lineItems, draftLineItem(draft, snapshot.workspace.timezone)],
    creatives: [...snapshot.creatives, ...draftCreatives(draft)],
  };
}

const DRAFT_ADVERTISER: Advertiser = {
  id: DRAFT_ID,
  name: 'Draft',
  status: 'ACTIVE',
  domains: [],
  dsaBehalf: 'Draft',
  dsaPaid: 'Draft',
  exclusionLabels: [],
  frequencyCaps: [],
  creditMicros: null,
  categories: [],
};
const DRAFT_CAMPAIGN: Campaign = {
  id: DRAFT_ID,
  advertiserId: DRAFT_ID,
  name: 'Draft',
  status: 'ACTIVE',
  startsAtMs: null,
  endsAtMs: null,
  caps: NO_CAPS,
  frequencyCaps: [],
};

function draftLineItem(draft: ForecastDraft, timezone: string): LineItem {
  return {
    id: DRAFT_ID,
    campaignId: DRAFT_ID,
    dealId: draft.dealId,
    advertisingProductId: null,
    name: 'Draft',
    status: 'ACTIVE',
    type: draft.type,
    level: draft.level,
    sharePercent: draft.sharePercent,
    goal: null,
    pacing: 'ASAP',
    pricingModel: 'CPM',
    priceMicros: draft.cpmMicros,
    caps: NO_CAPS,
    frequencyCaps: [],
    serveWithoutUser: true,
    pauseAfterGoal: false,
    startsAtMs: null,
    endsAtMs: null,
    timezone,
    dayParts: [],
    targeting: draft.targeting,
    creativeRotation: 'EVEN',
    roadblock: 'ONE',
    exclusionLabels: [],
  };
}

const DRAFT_CONTENTS: Readonly<Record<MediaType, CreativeContent>> = {
  banner: { format: 'HTML', html: '' },
  native: {
    format: 'NATIVE',
    title: 'Draft',
    body: 'Draft',
    callToAction: 'Draft',
    sponsoredBy: 'Draft',
    imageUrl: 'https://draft.invalid/',
    imageWidth: 10_000,
    imageHeight: 10_000,
    iconUrl: 'https://draft.invalid/',
  },
  video: {
    format: 'VIDEO',
    title: 'Draft',
    durationMs: 15_000,
    mediaFiles: [],
    vastTagUrl: 'https://draft.invalid/',
    skipOffsetMs: null,
  },
};

function draftCreatives({ mediaTypes, sizes }: ForecastDraft): Creative[] {
  const anySize = [{ width: 0, height: 0 }];
  return mediaTypes.flatMap((mediaType, kind) =>
    (mediaType === 'banner' && sizes.length > 0 ? sizes : anySize).map((size, at) => ({
      id: String(999_999_999_999_000_000 + kind * 1_000 + at),
      lineItemId: DRAFT_ID,
      name: 'Draft',
      status: 'ACTIVE',
      reviewState: 'APPROVED',
      ...size,
      content: DRAFT_CONTENTS[mediaType],
      clickUrl: 'https://draft.invalid/',
      trackers: { impressionUrls: [], clickUrls: [], viewableUrls: [] },
      weight: 1,
      startsAtMs: null,
      endsAtMs: null,
      secure: true,
      attributes: [],
      language: null,
      frequencyCaps: [],
    })),
  );
}
