import type { DeliveryStatus, LineItem } from '../../api/bookings/desk-list.ts';
import type { LineItemSettings, SettingName } from '../../api/bookings/line-item-settings.ts';
import { flightOf, formatCount, formatFullDay } from '../../format/desk-format.ts';
import { say } from '../../messages/say.ts';

/** Settings for people, which no decision looks at. */
const FOR_PEOPLE: readonly SettingName[] = [
  'name',
  'advertisingProductId',
  'owner',
  'teamId',
  'notes',
  'externalId',
  'customFields',
];
const DAY_MS = 86_400_000;
/** A smaller part of a number is within the error of any forecast. */
const SAME_SHARE = 0.01;

/** A change of settings, with what its effects follow from. */
export interface EffectFacts {
  readonly before: LineItemSettings;
  readonly after: LineItemSettings;
  readonly changed: readonly SettingName[];
  readonly status: DeliveryStatus;
  readonly campaign: LineItem['campaign'];
  /** Units of the goal so far; null: unknown, or there is no goal. */
  readonly delivered: number | null;
  /** Impressions that are likely from now to the end; null: unknown. */
  readonly likely: { readonly before: number | null; readonly after: number | null };
  readonly nowMs: number;
  /** Of the line item after the change. */
  readonly zone: string;
}

/** The effects of changed settings on delivery, as sentences; the most drastic first. */
export function sayEffects(facts: EffectFacts): readonly string[] {
  if (facts.changed.every((name) => FOR_PEOPLE.includes(name))) return [say('item_effect.none')];
  const idle = facts.status === 'ACTIVE' ? null : say('item_effect.idle');
  const effects = [idle, sayFlight(facts), sayGoal(facts), sayNeed(facts), sayForecast(facts)];
  const said = effects.filter((effect) => effect !== null);
  return said.length === 0 ? [say('item_effect.next')] : said;
}

type Phase = 'before' | 'during' | 'after';

function phaseOf(settings: LineItemSettings, { campaign, nowMs }: EffectFacts): Phase {
  const { startsAt, endsAt } = flightOf({ ...settings, campaign });
  if (endsAt !== null && Date.parse(endsAt) <= nowMs) return 'after';
  return startsAt !== null && Date.parse(startsAt) > nowMs ? 'before' : 'during';
}

/** Whether the flight begins or ends by it; nothing for a line item that does not serve anyway. */
function sayFlight(facts: EffectFacts): string | null {
  const { status, after, campaign, zone } = facts;
  const [was, is] = [phaseOf(facts.before, facts), phaseOf(after, facts)];
  if (status !== 'ACTIVE' || was === is) return null;
  const { startsAt } = flightOf({ ...after, campaign });
  if (is === 'during') return say('item_effect.begins');
  if (is === 'after') return say('item_effect.ends');
  return say('item_effect.waits', { at: startsAt === null ? '' : formatFullDay(startsAt, zone) });
}

/** Whether it has reached its goal by it. What was delivered is known of the kind of goal that it had. */
function sayGoal({ before, after, delivered, status }: EffectFacts): string | null {
  const { goal, pauseAfterGoal } = after;
  if (goal === null || delivered === null || before.goal?.kind !== goal.kind || before.goal.period !== goal.period)
    return null;
  if (status !== 'ACTIVE' || !pauseAfterGoal || delivered < goal.amount) return null;
  if (before.pauseAfterGoal && delivered >= before.goal.amount) return null;
  return say(goal.period === 'DAY' ? 'item_effect.reached_day' : 'item_effect.reached', {
    delivered: formatCount(delivered),
    goal: formatCount(goal.amount),
  });
}

/** Units a day that are missing to the goal; null without a goal, an end, or a known count. */
export function neededOf(settings: LineItemSettings, facts: Omit<EffectFacts, 'likely'>): number | null {
  const { delivered, campaign, nowMs } = facts;
  const { goal } = settings;
  if (goal === null) return null;
  if (goal.period === 'DAY') return goal.amount;
  const { startsAt, endsAt } = flightOf({ ...settings, campaign });
  if (endsAt === null || delivered === null || facts.before.goal?.kind !== goal.kind) return null;
  const fromMs = Math.max(nowMs, startsAt === null ? nowMs : Date.parse(startsAt));
  const days = (Date.parse(endsAt) - fromMs) / DAY_MS;
  return days <= 0 ? null : Math.max(0, goal.amount - delivered) / days;
}

function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) <= SAME_SHARE * Math.max(one, other);
}

function sayNeed(facts: EffectFacts): string | null {
  const [before, after] = [neededOf(facts.before, facts), neededOf(facts.after, facts)];
  if (after === null || (before !== null && isSame(before, after))) return null;
  const text = formatCount(Math.ceil(after));
  if (before === null) return say('item_effect.needs_new', { after: text });
  return say('item_effect.needs', { before: formatCount(Math.ceil(before)), after: text });
}

function sayForecast({ likely: { before, after } }: EffectFacts): string | null {
  if (before === null || after === null) return null;
  if (isSame(before, after)) return say('item_effect.same', { after: formatCount(after) });
  return say(after > before ? 'item_effect.more' : 'item_effect.fewer', {
    before: formatCount(before),
    after: formatCount(after),
    difference: formatCount(Math.abs(after - before)),
  });
}
