import type { BulkRow, Campaign, DeliveryStatus, FrequencyCap } from '../api/bookings/desk-list.ts';
import type { ObjectKind, ObjectResult, ObjectUpdate, updateObjects } from '../api/bookings/object-updates.ts';
import { addClockDays, instantOf } from '../format/wall-time.ts';
import { refusalOf } from './inline-faults.ts';
import { say } from '../messages/say.ts';
import { formatCount, formatFullDay, formatMoney } from '../format/desk-format.ts';

/** What a change does to one object. */
export interface BulkChange {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly before: string;
  readonly after: string;
  /** The fields that it sets, and what they are now. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly undo: Readonly<Record<string, unknown>>;
}

/** What is done to several objects at once. */
export interface BulkPlan {
  readonly title: string;
  /** The text of the button. @param count of the changes that the server accepts; all of them until it has responded */
  verb: (count: number) => string;
  done: (count: number) => string;
  readonly changes: readonly BulkChange[];
  /** Names of those that it does nothing to. */
  readonly staying: readonly string[];
  /** The kind of the changed objects, where it is another one than that of the table. */
  readonly kind?: ObjectKind;
  /** How it is sent; absent: as updates of the objects. What it makes is undone by updates of the kind of the plan. */
  readonly send?: typeof updateObjects;
}

/** Any object with a status. */
export interface StatusTarget {
  readonly id: string;
  readonly name: string;
  readonly status: DeliveryStatus;
  readonly version: number;
}

/** Changes of the status alone. */
export const STATUS_ACTIONS = ['activate', 'reserve', 'pause', 'resume', 'archive'] as const;
export type StatusAction = (typeof STATUS_ACTIONS)[number];

const STEPS: Readonly<Record<StatusAction, { readonly from: readonly DeliveryStatus[]; readonly to: DeliveryStatus }>> =
  {
    activate: { from: ['DRAFT', 'RESERVED'], to: 'ACTIVE' },
    reserve: { from: ['DRAFT'], to: 'RESERVED' },
    pause: { from: ['ACTIVE'], to: 'PAUSED' },
    resume: { from: ['PAUSED'], to: 'ACTIVE' },
    archive: { from: ['DRAFT', 'RESERVED', 'ACTIVE', 'PAUSED', 'COMPLETED'], to: 'ARCHIVED' },
  };
const STATUS_TEXTS = {
  activate: { verb: 'status.activate', title: 'status.activate_title', done: 'status.activated' },
  reserve: { verb: 'status.reserve', title: 'status.reserve_title', done: 'status.reserved' },
  pause: { verb: 'status.pause', title: 'status.pause_title', done: 'status.paused' },
  resume: { verb: 'status.resume', title: 'status.resume_title', done: 'status.resumed' },
  archive: { verb: 'status.archive', title: 'status.archive_title', done: 'status.archived' },
} as const;

/** The word of an action's button. */
export function verbOf(action: StatusAction): string {
  return say(STATUS_TEXTS[action].verb);
}

/** Whether an action would do something. */
export function canAct(action: StatusAction, targets: readonly Pick<StatusTarget, 'status'>[]): boolean {
  return targets.some(({ status }) => STEPS[action].from.includes(status));
}

/** Finds what an action on the status does. */
export function planStatus(action: StatusAction, targets: readonly StatusTarget[]): BulkPlan {
  const { from, to } = STEPS[action];
  const texts = STATUS_TEXTS[action];
  const changing = targets.filter(({ status }) => from.includes(status));
  return {
    title: say(texts.title, { count: changing.length }),
    verb: () => say(texts.verb),
    done: (count) => say(texts.done, { count }),
    changes: changing.map(({ id, name, version, status }) => ({
      id,
      name,
      version,
      before: say(`status.${status}`),
      after: say(`status.${to}`),
      input: { status: to },
      undo: { status },
    })),
    staying: targets.filter(({ status }) => !from.includes(status)).map(({ name }) => name),
  };
}

/** The fields of each kind that several objects are changed in at once. */
export const BULK_FIELDS = {
  lineItem: ['targeting', 'flight', 'start', 'end', 'level', 'creatives', 'price', 'goal', 'labels', 'cap'],
  campaign: ['flight', 'start', 'end', 'budget', 'budget_day', 'labels'],
} as const;
export type BulkField = (typeof BULK_FIELDS)[keyof typeof BULK_FIELDS][number];

/** What happens to the labels of several objects: some more and some less, or all others. */
export type LabelChange =
  | { readonly add: readonly string[]; readonly remove: readonly string[] }
  | { readonly all: readonly string[] };

/** What happens to budgets: each by percent, or all the same amount; `amount` null: none. */
export type BudgetChange = { readonly percent: number } | { readonly amount: string | null };

/** A change of a start or an end: it moves by days, or all objects get the same time of the clock; empty: no date. */
export type DateChange = { readonly days: number } | { readonly wall: string };

/** What a person asks for; amounts in percent may be negative. */
export type BulkEdit =
  | { readonly field: 'flight'; readonly days: number }
  | { readonly field: 'start' | 'end'; readonly change: DateChange }
  | { readonly field: 'level'; readonly level: number }
  | { readonly field: 'price' | 'goal'; readonly percent: number }
  | { readonly field: 'budget' | 'budget_day'; readonly change: BudgetChange }
  | { readonly field: 'labels'; readonly change: LabelChange }
  | { readonly field: 'cap'; readonly cap: Pick<FrequencyCap, 'count' | 'window'> | null };

/** A line item or a campaign; it stays where it has no such field. */
export type EditedRow = Pick<BulkRow, 'id' | 'name' | 'version' | 'startsAt' | 'endsAt' | 'labels'> &
  Partial<Pick<BulkRow, 'timezone' | 'price' | 'pricingModel' | 'level' | 'goal' | 'frequencyCaps'>> &
  Partial<Pick<Campaign, 'caps'>>;

/** The context of texts. */
export interface BulkContext {
  readonly currency: string | undefined;
  readonly timezone: string | undefined;
}

/** What an edit does to one object. */
export type BulkStep = Pick<BulkChange, 'before' | 'after' | 'input' | 'undo'>;

/** Finds what an edit of one field does to each object; those that it does nothing to stay. @param stepOf null: it does nothing */
export function planSteps<Row extends Pick<BulkChange, 'id' | 'name' | 'version'>>(
  what: string,
  rows: readonly Row[],
  stepOf: (row: Row) => BulkStep | null,
): BulkPlan {
  const steps = rows.map((row) => [row, stepOf(row)] as const);
  const changes = steps.flatMap(([{ id, name, version }, step]) =>
    step === null ? [] : [{ id, name, version, ...step }],
  );
  return {
    title: say('bulk.title', { what, count: changes.length }),
    verb: (count) => say('bulk.apply', { count }),
    done: (count) => say('bulk.done', { count }),
    changes,
    staying: steps.filter(([, step]) => step === null).map(([{ name }]) => name),
  };
}

/** Finds what an edit does to each line item or campaign. */
export function planEdit(edit: BulkEdit, rows: readonly EditedRow[], context: BulkContext): BulkPlan {
  return planSteps(say(`bulk.of_${edit.field}`), rows, (row) => stepOf(edit, row, context));
}

function stepOf(edit: BulkEdit, row: EditedRow, context: BulkContext): BulkStep | null {
  switch (edit.field) {
    case 'flight':
      return flightStep(row, edit.days, context);
    case 'start':
    case 'end':
      return dateStep(row, edit, context);
    case 'level':
      return levelStep(row, edit.level);
    case 'price':
      return priceStep(row, edit.percent, context);
    case 'goal':
      return goalStep(row, edit.percent);
    case 'budget':
      return budgetStep(row, 'spendLifetime', edit.change, context);
    case 'budget_day':
      return budgetStep(row, 'spendPerDay', edit.change, context);
    case 'labels':
      return labelStep(row, edit.change);
    case 'cap':
      return capStep(row, edit.cap);
  }
}

/** By days of the clock: midnight stays midnight when the clocks change. */
function flightStep(row: EditedRow, days: number, context: BulkContext): BulkStep | null {
  const zone = zoneOf(row, context);
  const names = (['startsAt', 'endsAt'] as const).filter((name) => row[name] !== null);
  if (names.length === 0 || days === 0) return null;
  const undo = Object.fromEntries(names.map((name) => [name, row[name]]));
  const input = Object.fromEntries(names.map((name) => [name, addClockDays(row[name] ?? '', days, zone)]));
  const text = (dates: Readonly<Partial<Record<string, string | null>>>): string =>
    say('bulk.flight_said', {
      start: dateWords('start', dates['startsAt'] ?? null, zone),
      end: dateWords('end', dates['endsAt'] ?? null, zone),
    });
  return { before: text(undo), after: text(input), input, undo };
}

function dateStep(
  row: EditedRow,
  { field, change }: Extract<BulkEdit, { readonly change: DateChange }>,
  context: BulkContext,
): BulkStep | null {
  const zone = zoneOf(row, context);
  const name = field === 'start' ? 'startsAt' : 'endsAt';
  const after = dateAfter(row[name], change, zone);
  if (after === undefined || sameInstant(row[name], after)) return null;
  return {
    before: dateWords(field, row[name], zone),
    after: dateWords(field, after, zone),
    input: { [name]: after },
    undo: { [name]: row[name] },
  };
}

function zoneOf({ timezone: own }: EditedRow, { timezone }: BulkContext): string {
  return own ?? timezone ?? 'UTC';
}

/** Undefined: it cannot be read, or there is nothing that could move. */
function dateAfter(before: string | null, change: DateChange, zone: string): string | null | undefined {
  if ('days' in change) return before === null ? undefined : addClockDays(before, change.days, zone);
  if (change.wall === '') return null;
  const atMs = instantOf(change.wall, zone);
  return atMs === null ? undefined : new Date(atMs).toISOString();
}

function sameInstant(one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : Date.parse(one) === Date.parse(other);
}

function dateWords(field: 'start' | 'end', iso: string | null, zone: string): string {
  return iso === null ? say(`bulk.no_${field}`) : formatFullDay(iso, zone);
}

function levelStep({ level: before }: EditedRow, level: number): BulkStep | null {
  if (before === undefined || before === level) return null;
  return { before: formatCount(before), after: formatCount(level), input: { level }, undo: { level: before } };
}

function priceStep({ price, pricingModel }: EditedRow, percent: number, { currency }: BulkContext): BulkStep | null {
  if (price === undefined || pricingModel === undefined) return null;
  const after = scaleMoney(price, percent);
  if (after === price || Number(price) === 0) return null;
  const text = (amount: string): string => `${formatMoney(amount, currency)} ${say(`pricing.${pricingModel}`)}`;
  return { before: text(price), after: text(after), input: { price: after }, undo: { price } };
}

function goalStep({ goal }: EditedRow, percent: number): BulkStep | null {
  if (goal === null || goal === undefined) return null;
  const amount = Math.max(1, Math.round(goal.amount * (1 + percent / 100)));
  if (amount === goal.amount) return null;
  return {
    before: formatCount(goal.amount),
    after: formatCount(amount),
    input: { goal: { ...goal, amount } },
    undo: { goal },
  };
}

/** Beside the other caps; a percentage of no budget is none. */
function budgetStep(
  { caps }: EditedRow,
  cap: 'spendLifetime' | 'spendPerDay',
  change: BudgetChange,
  { currency }: BulkContext,
): BulkStep | null {
  if (caps === undefined) return null;
  const before = caps[cap];
  const after = 'amount' in change ? change.amount : before === null ? null : scaleMoney(before, change.percent);
  const isSame = before === null || after === null ? before === after : Number(before) === Number(after);
  if (isSame) return null;
  const text = (amount: string | null): string => (amount === null ? say('value.none') : formatMoney(amount, currency));
  return { before: text(before), after: text(after), input: { caps: { ...caps, [cap]: after } }, undo: { caps } };
}

/** What a change of labels does to one object; null: nothing. */
export function labelStep({ labels }: { readonly labels: readonly string[] }, change: LabelChange): BulkStep | null {
  const after =
    'all' in change
      ? [...new Set(change.all)]
      : [...new Set([...labels, ...change.add])].filter((label) => !change.remove.includes(label));
  if (after.length === labels.length && after.every((label) => labels.includes(label))) return null;
  const text = (list: readonly string[]): string => (list.length === 0 ? say('value.none') : list.join(', '));
  return { before: text(labels), after: text(after), input: { labels: after }, undo: { labels } };
}

function capStep({ frequencyCaps }: EditedRow, cap: Pick<FrequencyCap, 'count' | 'window'> | null): BulkStep | null {
  if (frequencyCaps === undefined) return null;
  const after = cap === null ? [] : [{ event: 'IMPRESSIONS', every: 1, per: 'USER', ...cap }];
  const [before, next] = [describeCaps(frequencyCaps), describeCaps(after)];
  if (before === next) return null;
  return { before, after: next, input: { frequencyCaps: after }, undo: { frequencyCaps } };
}

/** Frequency caps in words: `3 impressions a day`. */
export function describeCaps(caps: readonly FrequencyCap[]): string {
  if (caps.length === 0) return say('cap.none');
  return caps
    .map(({ event, count, window, every, per }) => {
      const span = say(every === 1 ? `cap.one_${window}` : `cap.many_${window}`, { every });
      const what = say(event === 'CLICKS' ? 'goal.CLICKS' : 'goal.IMPRESSIONS', { amount: formatCount(count), count });
      return say(per === 'HOUSEHOLD' ? 'cap.said_household' : 'cap.said', { what, span });
    })
    .join('; ');
}

/** A price changed by percent, rounded to as many decimals as it has, two at least. Exact. */
export function scaleMoney(price: string, percent: number): string {
  const [whole = '0', fraction = ''] = price.split('.');
  const decimals = Math.max(2, fraction.length);
  const units = BigInt(whole + fraction.padEnd(decimals, '0'));
  // Hundredths of a percent are whole numbers.
  const factor = BigInt(Math.max(0, Math.round((100 + percent) * 100)));
  const scaled = (units * factor * 2n + 10_000n) / 20_000n;
  const digits = scaled.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The updates of a plan. */
export function updatesOf({ changes }: Pick<BulkPlan, 'changes'>): ObjectUpdate[] {
  return changes.map(({ id, version, input }) => ({ id, version, input }));
}

/** The updates that undo what was done: only of objects that were changed, at the version that the change made. */
export function undoOf({ changes }: Pick<BulkPlan, 'changes'>, results: readonly ObjectResult[]): ObjectUpdate[] {
  const byId = new Map(changes.map((change) => [change.id, change]));
  return results.flatMap(({ id, madeId = id, version }) => {
    const change = byId.get(id);
    return version === null || change === undefined ? [] : [{ id: madeId, version, input: change.undo }];
  });
}

/** What the server says of one object: its error, or what it warns of; null when it is simply valid. */
export function remarkOf(result: ObjectResult | undefined): string | null {
  if (result === undefined) return null;
  if (result.code === 'conflict') return say('status.conflict');
  if (result.code !== null) return refusalOf(result);
  return result.warnings.length === 0 ? null : result.warnings.map(({ message }) => message).join(' ');
}

/** The ids of those that are refused because another member has to approve them first. */
export function idsToApprove(results: readonly ObjectResult[]): readonly string[] {
  return results
    .filter(({ problems }) => problems.some(({ code }) => code.toLowerCase() === 'approval_required'))
    .map(({ id }) => id);
}
