import { useEffect } from 'react';
import { isSearchedKind, type SearchedKind } from '../api/bookings/search.ts';
import type { Scope } from '../api/transport/scope.ts';
import { useScope } from './session.ts';

/** An object that was opened. */
export interface RecentObject {
  readonly kind: SearchedKind;
  readonly id: string;
  readonly name: string;
}

const KEPT_MAX = 12;

function storageKey({ environment, networkId }: Scope): string {
  return `placard-recent/${networkId}/${environment}`;
}

/** The objects that this browser opened last, latest first. */
export function recentObjects(scope: Scope): readonly RecentObject[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey(scope)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isRecent) : [];
  } catch {
    return [];
  }
}

/** Keeps that an object was opened. */
export function recordRecent(scope: Scope, object: RecentObject): void {
  const { kind, id, name } = object;
  try {
    localStorage.setItem(storageKey(scope), JSON.stringify(withRecent(recentObjects(scope), { kind, id, name })));
  } catch {
    // A browser that stores nothing has no recent objects.
  }
}

/** The list with an object in front of all others, once. */
export function withRecent(kept: readonly RecentObject[], object: RecentObject): readonly RecentObject[] {
  const others = kept.filter(({ kind, id }) => kind !== object.kind || id !== object.id);
  return [object, ...others].slice(0, KEPT_MAX);
}

/** Keeps that the page of an object was opened. */
export function useRecent(
  kind: SearchedKind,
  object: { readonly id: string; readonly name: string } | undefined,
): void {
  const { environment, networkId } = useScope();
  const { id, name } = object ?? {};
  useEffect(() => {
    if (id !== undefined && name !== undefined) recordRecent({ environment, networkId }, { kind, id, name });
  }, [environment, networkId, kind, id, name]);
}

function isRecent(value: unknown): value is RecentObject {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, id, name } = value as Partial<Record<keyof RecentObject, unknown>>;
  return isSearchedKind(kind) && typeof id === 'string' && typeof name === 'string';
}
