import type { BookedKind } from './desk-list.ts';
import { askGraphql } from '../transport/graphql.ts';
import { ApiProblem, describeProblem } from '../transport/problem.ts';
import type { Scope } from '../transport/scope.ts';

/** What copying made, and which objects were refused, with the reason. */
export interface Copies {
  readonly made: readonly { readonly id: string; readonly version: number }[];
  readonly refused: readonly { readonly id: string; readonly message: string }[];
}

/** What validating copies found out about one of them. */
export interface CopyVerdict {
  readonly id: string;
  /** Of a line item: 1. */
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

/** The most line items whose copies one call validates, each on its own. */
const VALIDATED_A_CALL = 10;

interface ValidateOptions extends CopyOptions {
  readonly signal: AbortSignal;
}

/** Has the server validate copies, one after another; nothing is stored. @throws AbortError */
export async function validateCopies(
  scope: Scope,
  kind: BookedKind,
  ids: readonly string[],
  options: ValidateOptions,
): Promise<readonly CopyVerdict[]> {
  const verdicts: CopyVerdict[] = [];
  const size = kind === 'lineItem' ? VALIDATED_A_CALL : 1;
  for (let at = 0; at < ids.length; at += size) {
    const part = ids.slice(at, at + size);
    try {
      verdicts.push(...(await (kind === 'lineItem' ? lineItemVerdicts : campaignVerdicts)(scope, part, options)));
    } catch (error) {
      if (!(error instanceof ApiProblem) || options.signal.aborted) throw error;
      const message = describeProblem(error);
      verdicts.push(...part.map((id) => ({ id, lineItemCount: 0, creativeCount: 0, message })));
    }
    options.onProgress?.(verdicts.length);
  }
  return verdicts;
}

async function campaignVerdicts(scope: Scope, [id = '']: readonly string[], { shiftDays, signal }: ValidateOptions) {
  const variables = { id, shiftDays, validateOnly: true };
  const { done } = await askGraphql<CampaignCopyBody>(scope, COPY_CAMPAIGN, variables, signal);
  const { lineItemCount = 0, creativeCount = 0, userErrors = [] } = done ?? {};
  return [{ id, lineItemCount, creativeCount, message: messageOf(userErrors) }];
}

/** One field for each: of a call for all, nobody would know which one is refused. */
async function lineItemVerdicts(scope: Scope, ids: readonly string[], { shiftDays, signal }: ValidateOptions) {
  const parameters = ids.map((_id, at) => `$i${at}: ID!`).join(', ');
  const fields = ids.map(
    (_id, at) =>
      `c${at}: copyLineItems(ids: [$i${at}], shiftDays: $shiftDays, validateOnly: true) { creativeCount userErrors { message } }`,
  );
  const query = `mutation DeskValidateCopies(${parameters}, $shiftDays: Int) { ${fields.join(' ')} }`;
  const variables = { ...Object.fromEntries(ids.map((id, at) => [`i${at}`, id])), shiftDays };
  const found = await askGraphql<Readonly<Record<string, LineItemVerdictBody | null>>>(scope, query, variables, signal);
  return ids.map((id, at) => {
    const { creativeCount = 0, userErrors = [] } = found[`c${at}`] ?? {};
    return { id, lineItemCount: 1, creativeCount, message: messageOf(userErrors) };
  });
}

interface LineItemVerdictBody {
  readonly creativeCount: number;
  readonly userErrors: readonly { readonly message: string }[];
}

function messageOf(userErrors: readonly { readonly message: string }[]): string | null {
  return userErrors.length === 0 ? null : userErrors.map(({ message }) => message).join(' ');
}
