import type { PlannedLineItem, PlannedObject, Remark } from '../plan/import-plan.ts';
import { nameOf } from '../plan/name-of.ts';
import { readLimitations } from './limitations.ts';
import type { ReviveRow } from './revive-tables.ts';
import { amountOf, instantOf, numberOf, textOf } from './text.ts';

type Input = Readonly<Record<string, unknown>>;
type RemarkOf = (kind: Remark['kind'], text: string) => void;

/** Kinds of campaigns, as Revive numbers them. */
const TYPES = { remnant: 1, contract: 2, override: 3, ecpm: 4, contractEcpm: 5 } as const;
const STATUSES: Readonly<Record<string, string>> = { 0: 'ACTIVE', 1: 'PAUSED', 2: 'ACTIVE', 3: 'COMPLETED' };
const PRICING: Readonly<Record<string, string>> = { 1: 'CPM', 2: 'CPC', 3: 'CPA', 4: 'FLAT' };
const DAYS_OF_MONTH = 365.25 / 12;
const SESSION_MINUTES = 30;

/** Limits of a user, from seconds between ads, ads in all, and ads of a session. */
export function capsOf(row: ReviveRow, remark: RemarkOf): Input[] {
  const [block, total, session] = ['block', 'capping', 'session_capping'].map((column) => numberOf(row, column));
  const caps: Input[] = [];
  if ((block ?? 0) > 0) caps.push({ count: Math.max(1, total ?? 0), ...windowOf(block ?? 0, remark) });
  else if ((total ?? 0) > 0) caps.push({ count: total, window: 'LIFETIME' });
  if ((session ?? 0) > 0) {
    remark('approximated', `its ${session} ads a session are ${session} in ${SESSION_MINUTES} minutes`);
    caps.push({ count: session, window: 'MINUTE', every: SESSION_MINUTES });
  }
  return caps;
}

function windowOf(seconds: number, remark: RemarkOf): Input {
  const units = [
    ['DAY', 86_400],
    ['HOUR', 3_600],
    ['MINUTE', 60],
  ] as const;
  const exact = units.find(([, length]) => seconds % length === 0 && seconds / length <= 1_000);
  if (exact !== undefined) return { window: exact[0], every: seconds / exact[1] };
  const [window, length] = seconds <= 60_000 ? units[2] : seconds <= 3_600_000 ? units[1] : units[0];
  const every = Math.min(1_000, Math.ceil(seconds / length));
  remark('approximated', `its ${seconds} seconds between ads are ${every} times ${window}`);
  return { window, every };
}

/** The campaign of a campaign. */
export function planCampaign(row: ReviveRow, remark: RemarkOf): PlannedObject {
  const id = row['campaignid'] ?? '';
  const frequencyCaps = capsOf(row, remark);
  if (numberOf(row, 'companion') > 0) remark('left out', 'its banners no longer have to stand on one page');
  const notes = textOf(row, 'comments').slice(0, 2_000);
  return {
    key: `revive-campaign-${id}`,
    input: {
      name: nameOf(textOf(row, 'campaignname'), `Campaign ${id}`),
      advertiserExternalId: `revive-client-${row['clientid'] ?? ''}`,
      externalId: `revive-campaign-${id}`,
      status: statusOf(row, remark),
      ...flightOf(row),
      ...(notes === '' ? {} : { notes }),
      ...(frequencyCaps.length === 0 ? {} : { frequencyCaps }),
    },
  };
}

function statusOf(row: ReviveRow, remark: RemarkOf): string {
  const status = STATUSES[row['status'] ?? '0'];
  if (status !== undefined) return status;
  remark('approximated', `its status ${row['status']} is DRAFT`);
  return 'DRAFT';
}

function flightOf(row: ReviveRow): Input {
  const [from, to] = [instantOf(row['activate_time']), instantOf(row['expire_time'])];
  // Revive serves in the last second, too.
  const end = to === null ? null : new Date(to.getTime() + 1_000);
  return {
    ...(from === null ? {} : { startsAt: from.toISOString() }),
    ...(end === null || (from !== null && end <= from) ? {} : { endsAt: end.toISOString() }),
  };
}

/** A part of the banners of a campaign: those with the same limitations in the same zones. */
export interface BannerGroup {
  readonly banners: readonly ReviveRow[];
  readonly zones: readonly string[];
  readonly limitations: readonly ReviveRow[];
}

/** What is known around a campaign. */
export interface CampaignSurroundings {
  readonly channels: ReadonlyMap<string, readonly ReviveRow[]>;
  readonly trackers: readonly string[];
  /** The sum of the weights of override campaigns that share a zone with it, its own included. */
  readonly overrideWeights: number;
  readonly remark: RemarkOf;
}

/** The line items of a campaign, one for each group. A campaign without banners has one, too. */
export function planLineItems(
  row: ReviveRow,
  groups: readonly BannerGroup[],
  around: CampaignSurroundings,
): PlannedLineItem[] {
  const id = row['campaignid'] ?? '';
  if (groups.length > 1)
    around.remark(
      'approximated',
      `its banners differ in limitations or zones: it has ${groups.length} line items, which divide its goal by the weights of their banners`,
    );
  const weights = groups.map(({ banners }) =>
    banners.reduce((sum, one) => sum + Math.max(0, numberOf(one, 'weight')), 0),
  );
  const all = weights.reduce((sum, one) => sum + one, 0);
  return groups.map((group, index) => {
    const share = groups.length === 1 ? 1 : all === 0 ? 1 / groups.length : (weights[index] ?? 0) / all;
    const key = lineItemKey(id, index);
    const limits = readLimitations(group.limitations, around.channels);
    for (const text of limits.approximations) around.remark('approximated', text);
    const stops = [...limits.problems];
    if (group.zones.length === 0) stops.push('its banners are linked to no zone');
    if (limits.timezones.length > 1) stops.push('its days and hours are of several time zones');
    for (const text of stops)
      around.remark(
        'left out',
        `${text.replace(/\.$/, '')}; its line item ${key} is PAUSED, so that it does not serve too widely`,
      );
    const name = nameOf(textOf(row, 'campaignname'), `Campaign ${id}`);
    const [timezone] = limits.timezones;
    const status = statusOf(row, () => undefined);
    return {
      key,
      adUnits: group.zones.map((zone) => `revive-${zone}`),
      activities: around.trackers.map((tracker) => `revive-${tracker}`),
      targeting: limits.targeting === null ? [] : [limits.targeting],
      input: {
        name: groups.length === 1 ? name : `${name.slice(0, 190)} (${index + 1})`,
        campaignExternalId: `revive-campaign-${id}`,
        externalId: key,
        status: stops.length > 0 && status === 'ACTIVE' ? 'PAUSED' : status,
        ...typeOf(row, share, around),
        ...priceOf(row, around.remark),
        ...flightOf(row),
        creativeRotation: 'WEIGHTED',
        ...(timezone === undefined ? {} : { timezone }),
      },
    };
  });
}

/** The external id of the line item of a group. */
export const lineItemKey = (campaign: string, index: number): string =>
  index === 0 ? `revive-campaign-${campaign}` : `revive-campaign-${campaign}-${index + 1}`;

function typeOf(row: ReviveRow, share: number, { overrideWeights, remark }: CampaignSurroundings): Input {
  const type = kindOf(row);
  const weight = Math.max(1, numberOf(row, 'weight'));
  if (type === TYPES.override) {
    const percent = Math.max(0.01, (100 * weight * share) / Math.max(weight, overrideWeights));
    if (percent < 100)
      remark('approximated', 'overrides divide their zones by weight: it has its part of them as a share of voice');
    return { type: 'SPONSORSHIP', sharePercent: Math.round(percent * 100) / 100 };
  }
  if (type === TYPES.ecpm) {
    remark('approximated', 'it competes by its price, not by an eCPM that is learnt');
    return { type: 'PRICE' };
  }
  if (type === TYPES.remnant) return { type: 'HOUSE', sharePercent: weight * share };
  const goal = goalOf(row, share, remark);
  if (goal === null) {
    remark('approximated', 'a contract without a goal serves as HOUSE, after those that have one');
    return { type: 'HOUSE', sharePercent: weight * share };
  }
  if (type === TYPES.contractEcpm) remark('approximated', 'its least impressions by eCPM are a goal like others');
  const level = Math.min(16, Math.max(1, 11 - numberOf(row, 'priority')));
  const isLifetime = goal['period'] === 'LIFETIME';
  const isSpread = !isLifetime || instantOf(row['expire_time']) !== null;
  if (!isSpread) remark('approximated', 'its goal without an end is delivered as fast as possible');
  return { type: 'STANDARD', level, goal, pacing: isSpread ? 'EVEN' : 'ASAP', pauseAfterGoal: isLifetime };
}

/** Old installations have no type: the priority says it. */
function kindOf(row: ReviveRow): number {
  const type = numberOf(row, 'type');
  if (type > 0) return type;
  const priority = numberOf(row, 'priority');
  if (priority === -1) return TYPES.override;
  return priority > 0 ? TYPES.contract : TYPES.remnant;
}

function goalOf(row: ReviveRow, share: number, remark: RemarkOf): Input | null {
  const candidates = [
    ['views', 'IMPRESSIONS', 'LIFETIME'],
    ['clicks', 'CLICKS', 'LIFETIME'],
    ['conversions', 'CONVERSIONS', 'LIFETIME'],
    ['target_impression', 'IMPRESSIONS', 'DAY'],
    ['target_click', 'CLICKS', 'DAY'],
    ['target_conversion', 'CONVERSIONS', 'DAY'],
    ['min_impressions', 'IMPRESSIONS', 'LIFETIME'],
  ] as const;
  const found = candidates.filter(([column]) => numberOf(row, column) > 0);
  const [first, ...others] = found;
  if (first === undefined) return null;
  if (others.length > 0)
    remark('approximated', `of its goals ${found.map(([column]) => column).join(', ')} the first counts`);
  const [column, kind, period] = first;
  return { kind, period, target: Math.max(1, Math.round(numberOf(row, column) * share)) };
}

function priceOf(row: ReviveRow, remark: RemarkOf): Input {
  const price = amountOf(row, 'revenue');
  const pricingModel = PRICING[row['revenue_type'] ?? ''];
  if (Number(price) === 0 || pricingModel === undefined) return {};
  if (pricingModel !== 'FLAT') return { pricingModel, price };
  remark('approximated', `its rent of ${price} a month is that part of a day`);
  return { pricingModel, price: (Number(price) / DAYS_OF_MONTH).toFixed(6) };
}
