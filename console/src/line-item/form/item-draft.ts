import type { DeliveryCaps, FrequencyCap } from '../../api/bookings/desk-list.ts';
import type { LineItemDetail } from '../../api/bookings/desk-object.ts';
import type { DayPart, LineItemSettings } from '../../api/bookings/line-item-settings.ts';
import { isWhole, type TargetingTree } from '../../api/bookings/targeting.ts';
import type { TermsDraft } from '../../booking/booking-draft.ts';
import { CARD_OF } from '../../booking/booking-defaults.ts';
import { typedText } from '../../format/typed-numbers.ts';
import { wallTimeOf } from '../../format/wall-time.ts';
import { rowsOf } from '../../targeting/targeting-rows.ts';
import { ALL_HOURS, toWeekHours } from '../../targeting/week-hours.ts';

/** A frequency cap as it is typed. */
export interface CapDraft extends Omit<FrequencyCap, 'count' | 'every'> {
  readonly count: string;
  readonly every: string;
}

/** Settings that a person chooses rather than types: the draft has them as the API does. */
type Chosen = Pick<
  LineItemSettings,
  | 'dealId'
  | 'pauseAfterGoal'
  | 'pacing'
  | 'serveWithoutUser'
  | 'exclusionLabels'
  | 'creativeRotation'
  | 'optimisationGoal'
  | 'roadblock'
  | 'companionMode'
  | 'countedActivities'
  | 'labels'
  | 'teamId'
  | 'customFields'
>;

/** A line item that is being changed. */
export interface ItemDraft extends TermsDraft, Chosen {
  /** Empty: the network's. */
  readonly timezone: string;
  /** Spans that begin or end within an hour, which stay as they are; null: `hours` say all. */
  readonly oddParts: readonly DayPart[] | null;
  /** Targeting that rows cannot say, which stays as it is; null: the rows say all. */
  readonly nested: TargetingTree | null;
  readonly frequencyCaps: readonly CapDraft[];
  readonly caps: Readonly<Record<keyof DeliveryCaps, string>>;
  readonly owner: string;
  readonly notes: string;
  readonly externalId: string;
}

/** The names of the hard limits. */
export const CAP_NAMES = [
  'impressionsPerDay',
  'impressionsLifetime',
  'clicksPerDay',
  'clicksLifetime',
  'spendPerDay',
  'spendLifetime',
] as const satisfies readonly (keyof DeliveryCaps)[];

/** A cap as a new one begins. */
export const NEW_CAP: CapDraft = { event: 'IMPRESSIONS', count: '', window: 'DAY', every: '1', per: 'USER' };

function wallOf(iso: string | null, zone: string): string {
  return iso === null ? '' : wallTimeOf(Date.parse(iso), zone).slice(0, 16);
}

function typedOf(value: number | string | null): string {
  return value === null ? '' : typedText(String(value));
}

/** The draft that says what a line item is. @param zone the network's time zone */
export function draftOf(item: LineItemDetail, zone: string): ItemDraft {
  return { ...termsOf(item, item.timezone ?? zone), ...chosenOf(item), ...typedFieldsOf(item) };
}

function termsOf(item: LineItemDetail, zone: string): TermsDraft & Pick<ItemDraft, 'oddParts' | 'nested'> {
  const { goal, targeting } = item;
  const rows = targeting === null || isWhole(targeting) ? rowsOf(targeting) : null;
  const hours = toWeekHours(item.dayParts);
  return {
    name: item.name,
    productId: item.advertisingProductId,
    card: CARD_OF[item.type],
    startsAt: wallOf(item.startsAt, zone),
    endsAt: wallOf(item.endsAt, zone),
    hours: hours ?? ALL_HOURS,
    oddParts: hours === null ? item.dayParts : null,
    goalAmount: String(goal?.amount ?? ''),
    goalKind: goal?.kind ?? 'IMPRESSIONS',
    goalPeriod: goal?.period ?? 'LIFETIME',
    pricingModel: item.pricingModel,
    price: typedText(item.price),
    level: String(item.level),
    sharePercent: typedOf(item.sharePercent),
    targeting: rows ?? [],
    nested: rows === null ? targeting : null,
  };
}

function chosenOf(item: LineItemDetail): Chosen {
  return {
    dealId: item.dealId,
    pauseAfterGoal: item.pauseAfterGoal,
    pacing: item.pacing,
    serveWithoutUser: item.serveWithoutUser,
    exclusionLabels: item.exclusionLabels,
    creativeRotation: item.creativeRotation,
    optimisationGoal: item.optimisationGoal,
    roadblock: item.roadblock,
    companionMode: item.companionMode,
    countedActivities: item.countedActivities,
    labels: item.labels,
    teamId: item.teamId,
    customFields: item.customFields,
  };
}

function typedFieldsOf(item: LineItemDetail) {
  const { caps, frequencyCaps, timezone, owner, notes, externalId } = item;
  return {
    timezone: timezone ?? '',
    frequencyCaps: frequencyCaps.map((cap) => ({ ...cap, count: String(cap.count), every: String(cap.every) })),
    caps: {
      impressionsPerDay: typedOf(caps.impressionsPerDay),
      impressionsLifetime: typedOf(caps.impressionsLifetime),
      clicksPerDay: typedOf(caps.clicksPerDay),
      clicksLifetime: typedOf(caps.clicksLifetime),
      spendPerDay: typedOf(caps.spendPerDay),
      spendLifetime: typedOf(caps.spendLifetime),
    },
    owner: owner ?? '',
    notes,
    externalId: externalId ?? '',
  };
}
