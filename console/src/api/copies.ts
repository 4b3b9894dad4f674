import type { BookedKind } from './desk-object.ts';
import { askGraphql } from './graphql.ts';
import { ApiProblem, describeProblem } from './problem.ts';
import type { Scope } from './scope.ts';

/** What copying made, and which objects were refused, with the reason. */
export interface Copies {
  readonly made: readonly { readonly id: string; readonly version: number }[];
  readonly refused: readonly { readonly id: string; readonly message: string }[];
}

/** What validating copies of campaigns found out about one of them. */
export interface CopyVerdict {
  readonly id: string;
  readonly lineItemCount: number;
  readonly creativeCount: number;
  /** Why it would be refused; null: it would be copied. */
  readonly message: string | null;
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
    readonly lineItemCount: number;
    readonly creativeCount: number;
    readonly copy: { readonly id: string; readonly version: number } | null;
    readonly userErrors: readonly { readonly message: string }[];
  } | null;
}

const COPY_CAMPAIGN = `mutation DeskCopyCampaign($id: ID!, $shiftDays: Int, $validateOnly: Boolean) {
  done: copyCampaign(id: $id, shiftDays: $shiftDays, validateOnly: $validateOnly) {
    copy { id version } lineItemCount creativeCount userErrors { message } } }`;

/** One call for each: a campaign may be large. One that is refused stops no other. */
async function copyCampaigns(scope: Scope, ids: readonly string[], options: CopyOptions): Promise<Copies> {
  const made: { id: string; version: number }[] = [];
  const refused: { id: string; message: string }[] = [];
  for (const [at, id] of ids.entries()) {
    const variables = { id, shiftDays: options.shiftDays, validateOnly: false };
    try {
      const { done } = await askGraphql<CampaignCopyBody>(scope, COPY_CAMPAIGN, variables);
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

/** Has the server validate copies of campaigns, one after another; nothing is stored. @throws AbortError */
export async function validateCampaignCopies(
  scope: Scope,
  ids: readonly string[],
  { shiftDays, onProgress, signal }: CopyOptions & { readonly signal: AbortSignal },
): Promise<readonly CopyVerdict[]> {
  const verdicts: CopyVerdict[] = [];
  for (const id of ids) {
    const none = { id, lineItemCount: 0, creativeCount: 0 };
    try {
      const variables = { id, shiftDays, validateOnly: true };
      const { done } = await askGraphql<CampaignCopyBody>(scope, COPY_CAMPAIGN, variables, signal);
      const { lineItemCount = 0, creativeCount = 0, userErrors = [] } = done ?? {};
      const message = userErrors.length === 0 ? null : userErrors.map((error) => error.message).join(' ');
      verdicts.push({ id, lineItemCount, creativeCount, message });
    } catch (error) {
      if (!(error instanceof ApiProblem) || signal.aborted) throw error;
      verdicts.push({ ...none, message: describeProblem(error) });
    }
    onProgress?.(verdicts.length);
  }
  return verdicts;
}
