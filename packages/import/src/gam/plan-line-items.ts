import type { PlannedLineItem, Remark } from '../plan/import-plan.ts';
import { nameOf } from '../plan/name-of.ts';
import type { GamFrequencyCap, GamGoal, GamLineItem } from './gam-data.ts';
import { readTargeting, type ReadTargeting, type TargetingSurroundings } from './gam-targeting.ts';

type Input = Readonly<Record<string, unknown>>;
type RemarkOf = (kind: Remark['kind'], text: string) => void;

export const lineItemKey = (id: string): string => `gam-line-item-${id}`;
export const orderKey = (id: string): string => `gam-order-${id}`;

const NOTES_MAX = 2_000;
const PERCENT_MAX = 100;

const STATUSES: Readonly<Record<string, string>> = {
  DELIVERING: 'ACTIVE',
  DELIVERY_EXTENDED: 'ACTIVE',
  READY: 'ACTIVE',
  PAUSED: 'PAUSED',
  PAUSED_INVENTORY_RELEASED: 'PAUSED',
  INACTIVE: 'PAUSED',
  COMPLETED: 'COMPLETED',
  CANCELED: 'COMPLETED',
  DRAFT: 'DRAFT',
  PENDING_APPROVAL: 'DRAFT',
  DISAPPROVED: 'DRAFT',
};

/** What is known around a line item. */
export interface LineItemSurroundings extends TargetingSurroundings {
  readonly remark: RemarkOf;
  /** Of line items that name none. */
  readonly timezone: string;
}

/** The line item of a line item; null: it cannot come over, and a remark says why. */
export function planLineItem(item: GamLineItem, around: LineItemSurroundings): PlannedLineItem | null {
  const { remark } = around;
  const terms = termsOf(item, remark);
  if (terms === null) return null;
  const problems = [...item.problems];
  const price = priceOf(item, problems, remark);
  const targeting = targetingOf(item, around);
  problems.push(...targeting.problems);
  for (const text of targeting.approximations) remark('approximated', text);
  const key = lineItemKey(item.id);
  return {
    key,
    adUnits: targeting.adUnits ?? [],
    activities: [],
    targeting: targeting.tests,
    input: {
      name: nameOf(item.name, `Line item ${item.id}`),
      campaignExternalId: orderKey(item.orderId),
      externalId: key,
      status: statusOf(item, problems, remark),
      ...terms,
      ...price,
      ...flightOf(item, remark),
      ...capsOf(item.frequencyCaps, remark),
      ...roadblockOf(item, remark),
      creativeRotation: rotationOf(item),
      timezone: item.timezone ?? around.timezone,
      ...(targeting.dayParts.length === 0 ? {} : { dayParts: targeting.dayParts }),
      ...(item.notes === '' ? {} : { notes: item.notes.slice(0, NOTES_MAX) }),
    },
  };
}

const UNTARGETED: ReadTargeting = {
  adUnits: [],
  tests: [],
  dayParts: [],
  problems: ['the files do not say what it targets'],
  approximations: [],
};

function targetingOf(item: GamLineItem, around: LineItemSurroundings): ReadTargeting {
  return item.targeting === null ? UNTARGETED : readTargeting(item.targeting, around);
}

/** A line item that would serve too widely, or at another price, is PAUSED until a person has looked at it. */
function statusOf(item: GamLineItem, problems: readonly string[], remark: RemarkOf): string {
  const stated = item.status === null ? null : (STATUSES[item.status] ?? null);
  if (stated === null)
    remark('approximated', item.status === null ? 'the files do not say its status' : `its status ${item.status}`);
  const status = item.isArchived ? 'COMPLETED' : (stated ?? 'PAUSED');
  const isHeld = problems.length > 0 && status === 'ACTIVE';
  for (const text of problems)
    remark('left out', isHeld ? `${text}; it is PAUSED, so that it does not serve in another way` : text);
  return isHeld ? 'PAUSED' : status;
}

/** How each type serves. A type that is not here has no counterpart. */
const TERMS: Readonly<Record<string, (item: GamLineItem, remark: RemarkOf) => Input | null>> = {
  SPONSORSHIP: (item) => ({ type: 'SPONSORSHIP', ...levelOf(item, 4), sharePercent: percentOf(item.goal) }),
  STANDARD: standardTerms,
  NETWORK: (item, remark) => {
    remark('approximated', 'its share of NETWORK is one of HOUSE, behind the other types');
    return { type: 'HOUSE', sharePercent: percentOf(item.goal) };
  },
  HOUSE: (item) => ({ type: 'HOUSE', sharePercent: percentOf(item.goal) }),
  BULK: (item, remark) => pricedTerms('BULK', item, remark),
  PRICE_PRIORITY: (item, remark) => pricedTerms('PRICE_PRIORITY', item, remark),
};

function termsOf(item: GamLineItem, remark: RemarkOf): Input | null {
  const terms = Object.hasOwn(TERMS, item.type) ? TERMS[item.type] : undefined;
  if (terms !== undefined) return terms(item, remark);
  const text = item.type === '' ? 'the files do not say its type' : `Placard has no type ${item.type}`;
  remark('left out', text);
  return null;
}

const levelOf = ({ priority }: GamLineItem, usual: number): Input => ({
  level: Math.min(16, Math.max(1, Math.round(priority ?? usual))),
});

/** A goal of sponsorships and the like is a percentage; none means all. */
function percentOf(goal: GamGoal | null): number {
  const units = goal?.units ?? 0;
  return units <= 0 || units > PERCENT_MAX ? PERCENT_MAX : units;
}

const GOALS: Readonly<Record<string, string>> = {
  IMPRESSIONS: 'IMPRESSIONS',
  VIEWABLE_IMPRESSIONS: 'VIEWABLE_IMPRESSIONS',
  CLICKS: 'CLICKS',
};

const PACINGS: Readonly<Record<string, string>> = {
  EVENLY: 'EVEN',
  FRONTLOADED: 'FRONT_LOADED',
  AS_FAST_AS_POSSIBLE: 'ASAP',
};

function standardTerms(item: GamLineItem, remark: RemarkOf): Input | null {
  const { goal } = item;
  const kind = goal === null ? undefined : GOALS[goal.unit];
  if (goal === null || kind === undefined || goal.units <= 0 || goal.type === 'NONE') {
    remark('left out', goal === null ? 'it is STANDARD, and has no goal' : `its goal of ${goal.units} ${goal.unit}`);
    return null;
  }
  const period = goal.type === 'DAILY' ? 'DAY' : 'LIFETIME';
  const isEndless = period === 'LIFETIME' && item.endsAt === null;
  if (isEndless) remark('approximated', 'its goal without an end is delivered as fast as possible');
  const stated = PACINGS[item.delivery ?? 'EVENLY'] ?? 'EVEN';
  return {
    type: 'STANDARD',
    ...levelOf(item, 8),
    goal: { kind, period, target: Math.round(goal.units) },
    pacing: isEndless ? 'ASAP' : stated,
    pauseAfterGoal: period === 'LIFETIME',
  };
}

/** Types that compete by price; their quantity is a limit, not a promise. */
function pricedTerms(type: string, item: GamLineItem, remark: RemarkOf): Input {
  const isPriced = item.price !== null && Number(item.price.amount) > 0;
  if (!isPriced) remark('approximated', `${type} without a rate serves as HOUSE`);
  else if (type === 'BULK') remark('approximated', 'BULK: it competes by its price until its quantity is reached');
  const { goal } = item;
  const period = goal?.type === 'DAILY' ? 'PerDay' : 'Lifetime';
  const unit = goal?.unit === 'CLICKS' ? 'clicks' : 'impressions';
  const caps = goal === null || goal.units <= 0 ? {} : { caps: { [`${unit}${period}`]: Math.round(goal.units) } };
  return isPriced ? { type: 'PRICE', ...caps } : { type: 'HOUSE', sharePercent: PERCENT_MAX, ...caps };
}

/** The model of each cost type, and what a person should know. */
const MODELS: Readonly<Record<string, { readonly model: string; readonly text: string | null }>> = {
  CPM: { model: 'CPM', text: null },
  CPM_IN_TARGET: { model: 'CPM', text: 'its rate per thousand in target is one per thousand' },
  CPC: { model: 'CPC', text: null },
  VCPM: { model: 'VCPM', text: null },
  CPA: { model: 'CPA', text: null },
  CPD: { model: 'FLAT', text: null },
};

function priceOf({ price, costType }: GamLineItem, problems: string[], remark: RemarkOf): Input {
  if (price === null || Number(price.amount) === 0) return {};
  if (costType === null) {
    problems.push(`the files do not say what its rate of ${price.amount} ${price.currency} is paid for`);
    return {};
  }
  const found = MODELS[costType];
  if (found === undefined) {
    problems.push(`its rate of ${price.amount} ${price.currency} is ${costType}, which has no counterpart`);
    return {};
  }
  if (found.text !== null) remark('approximated', found.text);
  return { pricingModel: found.model, price: price.amount };
}

function flightOf({ startsAt, endsAt }: GamLineItem, remark: RemarkOf): Input {
  const isTurned = startsAt !== null && endsAt !== null && Temporal.Instant.compare(startsAt, endsAt) >= 0;
  if (isTurned) remark('left out', 'its end, which is before its start');
  return { ...(startsAt === null ? {} : { startsAt }), ...(endsAt === null || isTurned ? {} : { endsAt }) };
}

const WINDOWS = new Set(['MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'LIFETIME']);

function capsOf(caps: readonly GamFrequencyCap[], remark: RemarkOf): Input {
  const frequencyCaps = caps.flatMap(({ count, every, unit }) => {
    if (WINDOWS.has(unit) && count >= 1) return [{ count, window: unit, every: Math.max(1, every) }];
    remark('left out', `its limit of ${count} a user in ${every} ${unit}`);
    return [];
  });
  return frequencyCaps.length === 0 ? {} : { frequencyCaps };
}

const ROADBLOCKS: Readonly<Record<string, string | null>> = {
  ONE_OR_MORE: null,
  ONLY_ONE: 'ONE',
  AS_MANY_AS_POSSIBLE: 'AS_MANY_AS_POSSIBLE',
  ALL_ROADBLOCK: 'ALL',
};

function roadblockOf({ roadblock }: GamLineItem, remark: RemarkOf): Input {
  if (roadblock === null) return {};
  const found = Object.hasOwn(ROADBLOCKS, roadblock) ? ROADBLOCKS[roadblock] : undefined;
  if (found === undefined) remark('left out', `its ${roadblock}: creatives are shown one by one`);
  return typeof found === 'string' ? { roadblock: found } : {};
}

const ROTATIONS: Readonly<Record<string, string>> = {
  EVEN: 'EVEN',
  OPTIMIZED: 'OPTIMISED',
  MANUAL: 'WEIGHTED',
  SEQUENTIAL: 'SEQUENTIAL',
};

const rotationOf = ({ rotation }: GamLineItem): string => ROTATIONS[rotation ?? 'EVEN'] ?? 'EVEN';
