import type { LineItemDetail } from '../api/bookings/desk-object.ts';
import { isWhole } from '../api/bookings/targeting.ts';
import { decimalOf, typedText, wholeOf } from '../format/typed-numbers.ts';
import { rowsOf, type TargetingRow, targetingOf } from '../targeting/targeting-rows.ts';
import { instantOf, wallTimeOf } from '../format/wall-time.ts';

export const CAP_WINDOWS = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'LIFETIME'] as const;

/** The settings of a line item as a person types them. */
export interface EditTexts {
  readonly name: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly price: string;
  readonly hasGoal: boolean;
  readonly goal: string;
  readonly level: string;
  /** Whether its caps are one of impressions, or none: others are left alone. */
  readonly hasOneCap: boolean;
  readonly capCount: string;
  readonly capWindow: (typeof CAP_WINDOWS)[number];
  readonly labels: readonly string[];
  /** Null: rows cannot say it, and it is left alone. */
  readonly targeting: readonly TargetingRow[] | null;
}

/** The texts of a line item. */
export function textsOf(item: LineItemDetail, zone: string): EditTexts {
  const { frequencyCaps, targeting } = item;
  const [cap] = frequencyCaps;
  const capWindow = CAP_WINDOWS.find((one) => one === cap?.window);
  const isPlain = cap !== undefined && cap.event === 'IMPRESSIONS' && cap.every === 1 && capWindow !== undefined;
  const wall = (iso: string | null): string => (iso === null ? '' : wallTimeOf(Date.parse(iso), zone).slice(0, 16));
  return {
    name: item.name,
    startsAt: wall(item.startsAt),
    endsAt: wall(item.endsAt),
    price: typedText(item.price),
    hasGoal: item.goal !== null,
    goal: String(item.goal?.amount ?? ''),
    level: String(item.level),
    hasOneCap: frequencyCaps.length === 0 || (frequencyCaps.length === 1 && isPlain),
    capCount: isPlain ? String(cap.count) : '',
    capWindow: capWindow ?? 'DAY',
    labels: item.labels,
    targeting: targeting === null || isWhole(targeting) ? rowsOf(targeting) : null,
  };
}

/** What a form changes: only fields that a person has touched. `faults`: fields that cannot be read. */
export interface EditChanges {
  readonly input: Readonly<Record<string, unknown>>;
  readonly undo: Readonly<Record<string, unknown>>;
  readonly faults: readonly string[];
}

const UNREADABLE = Symbol('unreadable');

/** Finds what a form changes. */
export function changesOf(
  item: LineItemDetail,
  { before, texts, zone }: { readonly before: EditTexts; readonly texts: EditTexts; readonly zone: string },
): EditChanges {
  const fields: readonly (readonly [
    name: string,
    touched: readonly (keyof EditTexts)[],
    read: () => unknown,
    now: unknown,
  ])[] = [
    ['name', ['name'], () => texts.name.trim(), item.name],
    ['startsAt', ['startsAt'], () => instantText(texts.startsAt, zone), item.startsAt],
    ['endsAt', ['endsAt'], () => instantText(texts.endsAt, zone), item.endsAt],
    ['price', ['price'], () => decimalOf(texts.price) ?? UNREADABLE, item.price],
    ['goal', ['goal'], () => goalOf(item, texts.goal), item.goal],
    ['level', ['level'], () => countOf(texts.level), item.level],
    ['frequencyCaps', ['capCount', 'capWindow'], () => capsOf(item, texts), item.frequencyCaps],
    ['labels', ['labels'], () => texts.labels, item.labels],
    ['targeting', ['targeting'], () => targetingOf(texts.targeting ?? []), item.targeting],
  ];
  const touched = fields.filter(([, names]) =>
    names.some((name) => JSON.stringify(texts[name]) !== JSON.stringify(before[name])),
  );
  const read = touched.map(([name, , of, now]) => [name, of(), now] as const);
  const kept = read.filter(([, value]) => value !== UNREADABLE);
  return {
    input: Object.fromEntries(kept.map(([name, value]) => [name, value])),
    undo: Object.fromEntries(kept.map(([name, , now]) => [name, now])),
    faults: read.filter(([, value]) => value === UNREADABLE).map(([name]) => name),
  };
}

function instantText(wall: string, zone: string): string | null | typeof UNREADABLE {
  if (wall === '') return null;
  const atMs = instantOf(wall, zone);
  return atMs === null ? UNREADABLE : new Date(atMs).toISOString();
}

function countOf(text: string): number | typeof UNREADABLE {
  const value = wholeOf(text);
  return value === null || value === 0 ? UNREADABLE : value;
}

function goalOf({ goal }: LineItemDetail, text: string): unknown {
  const amount = countOf(text);
  return amount === UNREADABLE || goal === null ? UNREADABLE : { ...goal, amount };
}

function capsOf({ frequencyCaps }: LineItemDetail, { capCount, capWindow }: EditTexts): unknown {
  if (capCount.trim() === '') return [];
  const count = countOf(capCount);
  const usual = { event: 'IMPRESSIONS', every: 1, per: 'USER' };
  return count === UNREADABLE ? UNREADABLE : [{ ...usual, ...frequencyCaps[0], count, window: capWindow }];
}
