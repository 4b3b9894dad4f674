import type { LineItemDetail } from '../../api/bookings/desk-object.ts';
import type { LineItemSettings, SettingName } from '../../api/bookings/line-item-settings.ts';
import { toTargetingInput } from '../../api/bookings/targeting.ts';
import { hasShare, TYPES } from '../../booking/booking-draft.ts';
import { describeCaps } from '../../changes/bulk-plan.ts';
import { isSameValue } from '../../changes/change-preview.ts';
import { formatGoal, formatMoney } from '../../format/desk-format.ts';
import { decimalOf, numberOf, typedText, wholeOf } from '../../format/typed-numbers.ts';
import { instantOf } from '../../format/wall-time.ts';
import { say } from '../../messages/say.ts';
import { targetingOf } from '../../targeting/targeting-rows.ts';
import { describeDayParts } from '../../targeting/day-part-words.ts';
import { describeTree } from '../../targeting/targeting-words.ts';
import { toDayParts } from '../../targeting/week-hours.ts';
import type { ControlName } from './form-sections.ts';
import { CAP_NAMES, type ItemDraft } from './item-draft.ts';
import {
  describeActivities,
  describeCustom,
  describeFlag,
  describeInstant,
  describeLimits,
  describeText,
  listOf,
  type WordContext,
} from './setting-words.ts';

/** The value of a text that cannot be read. It is never sent to the API. */
const UNREADABLE = Symbol('unreadable');
type Read<Value> = Value | typeof UNREADABLE;

/** How one setting is edited, read from the draft, and told. */
interface SettingRow<Name extends SettingName> {
  readonly control: ControlName;
  /** The members of the draft that it is read from: without a change of them it is not sent. */
  readonly from: readonly (keyof ItemDraft)[];
  /** @param zone of the times of the draft */
  read(draft: ItemDraft, zone: string): Read<LineItemSettings[Name]>;
  describe(value: LineItemSettings[Name], context: WordContext): string;
}

/** Every setting of a line item: a new one of the API is shown once it has its row. */
export const SETTINGS: { readonly [Name in SettingName]: SettingRow<Name> } = {
  name: { control: 'name', from: ['name'], read: ({ name }) => name.trim(), describe: describeText },
  type: {
    control: 'card',
    from: ['card'],
    read: ({ card }) => TYPES[card],
    describe: (type) => say(`line_item_type.${type}`),
  },
  advertisingProductId: {
    control: 'product',
    from: ['productId'],
    read: ({ productId }) => productId,
    describe: (id, { nameOf }) => (id === null ? say('value.none') : nameOf('advertisingProducts', id)),
  },
  dealId: {
    control: 'product',
    from: ['dealId'],
    read: ({ dealId }) => dealId,
    describe: (id, { nameOf }) => (id === null ? say('value.none') : nameOf('deals', id)),
  },
  startsAt: {
    control: 'flight',
    from: ['startsAt', 'timezone'],
    read: ({ startsAt }, zone) => instantText(startsAt, zone),
    describe: (iso, { zone }) => describeInstant(iso, zone, say('item_form.at_once')),
  },
  endsAt: {
    control: 'flight',
    from: ['endsAt', 'timezone'],
    read: ({ endsAt }, zone) => instantText(endsAt, zone),
    describe: (iso, { zone }) => describeInstant(iso, zone, say('item_form.open_end')),
  },
  timezone: {
    control: 'flight',
    from: ['timezone'],
    read: ({ timezone }) => emptyAsNull(timezone),
    describe: (zone) => zone ?? say('item_form.network_zone'),
  },
  dayParts: {
    control: 'hours',
    from: ['hours', 'oddParts'],
    // No hour at all cannot be booked: no day-parts mean every hour.
    read: ({ hours, oddParts }) => oddParts ?? (hours.includes(true) ? toDayParts(hours) : UNREADABLE),
    describe: describeDayParts,
  },
  goal: {
    control: 'terms',
    from: ['goalAmount', 'goalKind', 'goalPeriod'],
    read: readGoal,
    describe: (goal) => (goal === null ? say('value.none') : formatGoal(goal)),
  },
  pauseAfterGoal: {
    control: 'pacing',
    from: ['pauseAfterGoal'],
    read: ({ pauseAfterGoal }) => pauseAfterGoal,
    describe: describeFlag,
  },
  pacing: {
    control: 'pacing',
    from: ['pacing'],
    read: ({ pacing }) => pacing,
    describe: (pacing) => say(`item_form.pacing_${pacing}`),
  },
  price: {
    control: 'terms',
    from: ['price'],
    read: ({ price }) => decimalOf(price) ?? UNREADABLE,
    describe: (price, { currency }) => formatMoney(price, currency),
  },
  pricingModel: {
    control: 'terms',
    from: ['pricingModel'],
    read: ({ pricingModel }) => pricingModel,
    describe: (model) => say(`booking.for_${model}`),
  },
  level: {
    control: 'terms',
    from: ['level'],
    read: ({ level }) => wholeOf(level) ?? UNREADABLE,
    describe: String,
  },
  sharePercent: {
    control: 'terms',
    from: ['sharePercent', 'card'],
    read: ({ sharePercent, card }) => (hasShare(card) ? optional(sharePercent, numberOf) : null),
    describe: (share) => (share === null ? say('value.none') : typedText(String(share))),
  },
  targeting: {
    control: 'targeting',
    from: ['targeting', 'nested'],
    read: ({ targeting, nested }) => nested ?? targetingOf(targeting),
    describe: (tree, { nameOf }) => describeTree(tree, nameOf),
  },
  frequencyCaps: { control: 'frequency', from: ['frequencyCaps'], read: readCaps, describe: describeCaps },
  serveWithoutUser: {
    control: 'frequency',
    from: ['serveWithoutUser'],
    read: ({ serveWithoutUser }) => serveWithoutUser,
    describe: describeFlag,
  },
  caps: {
    control: 'limits',
    from: ['caps'],
    read: readLimits,
    describe: (caps, { currency }) => describeLimits(caps, currency),
  },
  exclusionLabels: {
    control: 'limits',
    from: ['exclusionLabels'],
    read: ({ exclusionLabels }) => exclusionLabels,
    describe: listOf,
  },
  creativeRotation: {
    control: 'creatives',
    from: ['creativeRotation'],
    read: ({ creativeRotation }) => creativeRotation,
    describe: (rotation) => say(`item_form.rotation_${rotation}`),
  },
  optimisationGoal: {
    control: 'creatives',
    from: ['optimisationGoal'],
    read: ({ optimisationGoal }) => optimisationGoal,
    describe: (goal) => (goal === null ? say('value.none') : say(`item_form.optimise_${goal}`)),
  },
  roadblock: {
    control: 'creatives',
    from: ['roadblock'],
    read: ({ roadblock }) => roadblock,
    describe: (roadblock) => say(`item_form.roadblock_${roadblock}`),
  },
  companionMode: {
    control: 'creatives',
    from: ['companionMode'],
    read: ({ companionMode }) => companionMode,
    describe: (mode) => say(`item_form.companions_${mode}`),
  },
  countedActivities: {
    control: 'activities',
    from: ['countedActivities'],
    read: ({ countedActivities }) => countedActivities,
    describe: (activities, { nameOf }) => describeActivities(activities, nameOf),
  },
  labels: { control: 'people', from: ['labels'], read: ({ labels }) => labels, describe: listOf },
  owner: { control: 'people', from: ['owner'], read: ({ owner }) => emptyAsNull(owner), describe: describeText },
  teamId: {
    control: 'people',
    from: ['teamId'],
    read: ({ teamId }) => teamId,
    describe: (id, { teams }) => (id === null ? say('value.none') : (teams.get(id) ?? id)),
  },
  notes: { control: 'people', from: ['notes'], read: ({ notes }) => notes, describe: describeText },
  externalId: {
    control: 'people',
    from: ['externalId'],
    read: ({ externalId }) => emptyAsNull(externalId),
    describe: describeText,
  },
  customFields: {
    control: 'custom',
    from: ['customFields'],
    read: ({ customFields }) => customFields,
    describe: (fields, { customFields }) => describeCustom(fields, customFields),
  },
};

/** The names of all settings, in the order of the table. */
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** The settings that some parts of the form edit, in their order. */
export function settingsIn(controls: readonly ControlName[]): readonly SettingName[] {
  return controls.flatMap((control) => SETTING_NAMES.filter((name) => SETTINGS[name].control === control));
}

function emptyAsNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

/** The value of a text that may be empty. */
function optional<Value>(text: string, read: (text: string) => Value | null): Read<Value | null> {
  return text.trim() === '' ? null : (read(text) ?? UNREADABLE);
}

function instantText(wall: string, zone: string): Read<string | null> {
  if (wall === '') return null;
  const atMs = instantOf(wall, zone);
  return atMs === null ? UNREADABLE : new Date(atMs).toISOString();
}

function countOf(text: string): Read<number> {
  const value = wholeOf(text);
  return value === null || value === 0 ? UNREADABLE : value;
}

function readGoal({ goalAmount, goalKind, goalPeriod }: ItemDraft): Read<LineItemSettings['goal']> {
  if (goalAmount.trim() === '') return null;
  const amount = countOf(goalAmount);
  return amount === UNREADABLE ? UNREADABLE : { amount, kind: goalKind, period: goalPeriod };
}

function readCaps({ frequencyCaps }: ItemDraft): Read<LineItemSettings['frequencyCaps']> {
  const caps = frequencyCaps.flatMap((cap) => {
    const count = countOf(cap.count);
    const every = countOf(cap.every);
    return count === UNREADABLE || every === UNREADABLE ? [] : [{ ...cap, count, every }];
  });
  return caps.length === frequencyCaps.length ? caps : UNREADABLE;
}

function readLimits({ caps }: ItemDraft): Read<LineItemSettings['caps']> {
  const read = CAP_NAMES.map((name) => {
    const isMoney = name.startsWith('spend');
    return [name, optional<number | string>(caps[name], isMoney ? decimalOf : wholeOf)] as const;
  });
  if (read.some(([, value]) => value === UNREADABLE)) return UNREADABLE;
  return Object.fromEntries(read) as unknown as LineItemSettings['caps'];
}

/** A setting that a person has changed, with its values before and after. */
export interface SettingChange {
  readonly name: SettingName;
  readonly before: unknown;
  readonly after: unknown;
}

/** What a draft changes of a line item. `unreadable`: settings whose texts cannot be read, which are not sent. */
export interface DraftChanges {
  readonly changes: readonly SettingChange[];
  readonly unreadable: readonly SettingName[];
}

/** The zone of the times of a draft. @param zone the network's */
export function zoneOf({ timezone }: Pick<ItemDraft, 'timezone'>, zone: string): string {
  const own = timezone.trim();
  return own !== '' && isZone(own) ? own : zone;
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

/** Finds what a draft changes: settings that a person has touched and that are another value now. */
export function changesOf(
  item: LineItemDetail,
  { before, draft, zone }: { readonly before: ItemDraft; readonly draft: ItemDraft; readonly zone: string },
): DraftChanges {
  const read = SETTING_NAMES.filter((name) => isTouched(name, before, draft)).map((name) => ({
    name,
    before: item[name],
    after: SETTINGS[name].read(draft, zoneOf(draft, zone)) as unknown,
  }));
  return {
    changes: read.filter((one) => one.after !== UNREADABLE && !isSameValue(one.before, one.after)),
    unreadable: read.filter(({ after }) => after === UNREADABLE).map(({ name }) => name),
  };
}

function isTouched(name: SettingName, before: ItemDraft, draft: ItemDraft): boolean {
  return SETTINGS[name].from.some((member) => JSON.stringify(before[member]) !== JSON.stringify(draft[member]));
}

/** The fields that are sent. */
export function inputOf(changes: readonly SettingChange[], side: 'before' | 'after'): Record<string, unknown> {
  return Object.fromEntries(changes.map((change) => [change.name, toInput(change.name, change[side])]));
}

/** A tree as it was read has absent members; the API takes none. */
function toInput(name: SettingName, value: unknown): unknown {
  return name === 'targeting' && value !== null ? toTargetingInput(value as never) : value;
}

/** The settings that a draft comes to: those of the line item with what is changed. */
export function settingsAfter(item: LineItemDetail, changes: readonly SettingChange[]): LineItemSettings {
  return { ...item, ...Object.fromEntries(changes.map(({ name, after }) => [name, after])) };
}

/** A value of a setting in words. */
export function describeSetting(name: SettingName, value: unknown, context: WordContext): string {
  const row = SETTINGS[name] as unknown as SettingRow<SettingName>;
  return row.describe(value as never, context);
}
