import { useSyncExternalStore } from 'react';
import type { ObjectKind, ObjectUpdate, UndoStep } from '../api/bookings/object-updates.ts';
import type { Scope } from '../api/transport/scope.ts';

/** A change that can be undone. */
export interface Undoable {
  readonly id: string;
  readonly scope: Scope;
  readonly kind: ObjectKind;
  /** What was done, in words. */
  readonly text: string;
  readonly updates: readonly ObjectUpdate[];
  /** What is undone after that, of other kinds. */
  readonly also?: readonly UndoStep[];
  readonly untilMs: number;
}

/** For how long a change can be undone. */
const UNDO_MS = 600_000;
const KEPT_MAX = 20;

let kept: readonly Undoable[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Undoable[]): void {
  kept = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps a change for ten minutes, newest first. */
export function recordUndoable(one: Omit<Undoable, 'id' | 'untilMs'>): Undoable {
  const [first] = one.updates;
  const made = {
    ...one,
    id: `undo-${first?.id ?? ''}-${first?.version ?? 0}-${Date.now()}`,
    untilMs: Date.now() + UNDO_MS,
  };
  change([made, ...kept].slice(0, KEPT_MAX));
  return made;
}

/** Forgets a change: it was undone. */
export function dropUndoable(id: string): void {
  change(kept.filter((one) => one.id !== id));
}

/** The last change of a scope that can still be undone; null: none. */
export function findUndoable({ networkId, environment }: Scope, nowMs: number): Undoable | null {
  const found = kept.find(
    ({ scope, untilMs }) => scope.networkId === networkId && scope.environment === environment && untilMs > nowMs,
  );
  return found ?? null;
}

/** What `findUndoable` finds, drawn again whenever it changes. */
export function useLastUndoable(scope: Scope, nowMs: number): Undoable | null {
  return useSyncExternalStore(subscribe, () => findUndoable(scope, nowMs));
}
