import { askGraphql } from './graphql.ts';
import type { Scope } from './scope.ts';

/** Fields that a line item gets, by name. */
export type LineItemChanges = Readonly<Record<string, unknown>>;

/** The most line items of one call. */
const COPIES_A_CALL = 50;

/** Copies line items with their creatives; the copies are drafts. Each call is all or nothing. @returns the ids of the copies */
export async function copyLineItems(
  scope: Scope,
  ids: readonly string[],
  options: { readonly shiftDays: number; readonly changes?: LineItemChanges; onProgress?: (count: number) => void },
): Promise<readonly string[]> {
  const query = `mutation DeskCopy($ids: [ID!]!, $shiftDays: Int, $changes: LineItemChangesInput) {
    done: copyLineItems(ids: $ids, shiftDays: $shiftDays, changes: $changes) { lineItems { id } } }`;
  const { shiftDays, changes = {} } = options;
  const made: string[] = [];
  for (let at = 0; at < ids.length; at += COPIES_A_CALL) {
    const variables = { ids: ids.slice(at, at + COPIES_A_CALL), shiftDays, changes };
    const { done } = await askGraphql<{ done: { lineItems: readonly { id: string }[] } }>(scope, query, variables);
    made.push(...done.lineItems.map(({ id }) => id));
    options.onProgress?.(made.length);
  }
  return made;
}

/** Makes two line items of one. @returns the id of the new one */
export async function splitLineItem(
  scope: Scope,
  target: { readonly id: string; readonly version: number },
  sides: { readonly change: LineItemChanges; readonly part: LineItemChanges },
): Promise<string> {
  const query = `mutation DeskSplit($id: ID!, $version: Int, $change: LineItemChangesInput!, $part: LineItemChangesInput!) {
    done: splitLineItem(id: $id, version: $version, change: $change, part: $part) { part { id } } }`;
  const { done } = await askGraphql<{ done: { part: { id: string } } }>(scope, query, { ...target, ...sides });
  return done.part.id;
}
