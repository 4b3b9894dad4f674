import type { ObjectKind } from '../api/bookings/object-updates.ts';
import { isSameValue } from './change-preview.ts';
import { describeField, fieldName } from './field-words.ts';

/** What a member wanted of an object that somebody else has changed meanwhile: fields as they were read, and as they were typed. */
export interface BothSides {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly name: string;
  readonly base: Readonly<Record<string, unknown>>;
  readonly mine: Readonly<Record<string, unknown>>;
  /** Names of fields for people; absent: those of line items. */
  readonly titles?: Readonly<Record<string, string>>;
  /** Values of fields for people; absent: as plain values are told. */
  readonly describe?: (name: string, value: unknown) => string;
}

/** Whose value of a field is saved. */
export type Side = 'mine' | 'theirs';

/** One field of both sides, in words. */
export interface ComparedField {
  readonly name: string;
  readonly label: string;
  readonly base: string;
  readonly theirText: string;
  readonly mine: string;
  /** The other member has changed this field too, to something else. */
  readonly isBoth: boolean;
}

/** Compares what a member typed with what somebody else has saved. @param theirs null: not read yet */
export function compareSides(
  { base, mine, titles, describe = describeField }: Pick<BothSides, 'base' | 'mine' | 'titles' | 'describe'>,
  theirs: Readonly<Record<string, unknown>> | null,
): readonly ComparedField[] {
  return Object.keys(mine).map((name) => ({
    name,
    label: titles?.[name] ?? fieldName(name),
    base: describe(name, base[name]),
    theirText: theirs === null ? '' : describe(name, theirs[name]),
    mine: describe(name, mine[name]),
    isBoth: theirs !== null && ![base[name], mine[name]].some((one) => isSameValue(one, theirs[name])),
  }));
}

/** What is saved: each field that only this member changed, and of the others those that are chosen; without a choice, this member's. */
export function keptInput(
  { mine }: Pick<BothSides, 'mine'>,
  rows: readonly ComparedField[],
  chosen: Readonly<Record<string, Side>>,
): Readonly<Record<string, unknown>> {
  const kept = rows.filter(({ name, isBoth }) => !isBoth || chosen[name] !== 'theirs');
  return Object.fromEntries(kept.map(({ name }) => [name, mine[name]]));
}
