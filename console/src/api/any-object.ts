import { type CatalogKind, type CatalogResult, updateCatalog } from './catalog.ts';
import { type BookedKind, type BookedUpdate, updateBooked, UPDATES_MAX } from './desk-object.ts';
import type { Scope } from './scope.ts';

/** Any kind whose objects are changed in the desk. */
export type DeskKind = BookedKind | CatalogKind;

/** Changes of objects of one kind. */
export interface UndoStep {
  readonly kind: DeskKind;
  readonly updates: readonly BookedUpdate[];
}

/** Changes objects of a kind, each by itself, {@link UPDATES_MAX} a call. */
export async function updateObjects(scope: Scope, { kind, updates }: UndoStep): Promise<readonly CatalogResult[]> {
  if (kind === 'lineItem' || kind === 'campaign') return updateBooked(scope, kind, updates, { validateOnly: false });
  const results: CatalogResult[] = [];
  for (let at = 0; at < updates.length; at += UPDATES_MAX)
    results.push(...(await updateCatalog(scope, kind, updates.slice(at, at + UPDATES_MAX), { validateOnly: false })));
  return results;
}
