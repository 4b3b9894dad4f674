import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';

/** Fields that a line item gets, by name. */
export type LineItemChanges = Readonly<Record<string, unknown>>;

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
