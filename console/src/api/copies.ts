import type { BookedKind } from './desk-object.ts';
import { askGraphql } from './graphql.ts';
import { describeProblem } from './problem.ts';
import type { Scope } from './scope.ts';

/** What copying made, and which objects were refused, with the reason. */
export interface Copies {
  readonly made: readonly { readonly id: string; readonly version: number }[];
  readonly refused: readonly { readonly id: string; readonly message: string }[];
}

interface CopyOptions {
  /** By how many days flights are moved. */
  readonly shiftDays: number;
  /** Told how many objects are done. */
  onProgress?: (count: number) => void;
}

/** Copies objects of a kind with all that belongs to them; the copies are drafts. */
export function copyObjects(
  scope: Scope,
  kind: BookedKind,
  ids: readonly string[],
  options: CopyOptions,
): Promise<Copies> {
  return kind === 'lineItem' ? copyLineItems(scope, ids, options) : copyCampaigns(scope, ids, options);
}

/** The most line items of one call. */
const LINE_ITEMS_A_CALL = 50;

/** Each call is all or nothing. */
async function copyLineItems(scope: Scope, ids: readonly string[], options: CopyOptions): Promise<Copies> {
  const query = `mutation DeskCopy($ids: [ID!]!, $shiftDays: Int) {
    done: copyLineItems(ids: $ids, shiftDays: $shiftDays) { lineItems { id version } } }`;
  const made: { id: string; version: number }[] = [];
  for (let at = 0; at < ids.length; at += LINE_ITEMS_A_CALL) {
    const variables = { ids: ids.slice(at, at + LINE_ITEMS_A_CALL), shiftDays: options.shiftDays };
    const { done } = await askGraphql<{ done: { lineItems: typeof made } }>(scope, query, variables);
    made.push(...done.lineItems);
    options.onProgress?.(made.length);
  }
  return { made, refused: [] };
}

interface CampaignCopyBody {
  readonly done: {
    readonly copy: { readonly id: string; readonly version: number } | null;
    readonly userErrors: readonly { readonly message: string }[];
  } | null;
}

/** One call for each: a campaign may be large. One that is refused stops no other. */
async function copyCampaigns(scope: Scope, ids: readonly string[], options: CopyOptions): Promise<Copies> {
  const query = `mutation DeskCopyCampaign($id: ID!, $shiftDays: Int) {
    done: copyCampaign(id: $id, shiftDays: $shiftDays) { copy { id version } userErrors { message } } }`;
  const made: { id: string; version: number }[] = [];
  const refused: { id: string; message: string }[] = [];
  for (const [at, id] of ids.entries()) {
    try {
      const { done } = await askGraphql<CampaignCopyBody>(scope, query, { id, shiftDays: options.shiftDays });
      const { copy = null, userErrors = [] } = done ?? {};
      if (copy === null) refused.push({ id, message: userErrors.map(({ message }) => message).join(' ') });
      else made.push(copy);
    } catch (error) {
      refused.push({ id, message: describeProblem(error) });
    }
    options.onProgress?.(at + 1);
  }
  return { made, refused };
}
