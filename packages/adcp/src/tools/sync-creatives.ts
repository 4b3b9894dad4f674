import { z } from 'zod';
import { ApiRefusal, type CallApi, runGraphql } from '../api/call-api.ts';
import {
  associate,
  type LibraryCreative,
  findCreatives,
  ownExternalId,
  REVIEW_STATUSES,
} from '../buying/assign-creatives.ts';
import { CreativeAsset, type CreativeFields, readCreative } from '../buying/creative-content.ts';
import type { BuyTerms } from '../buying/media-buys.ts';
import { AdcpError, renderError } from '../protocol/adcp-error.ts';
import { readRequest } from '../protocol/read-request.ts';
import { AccountRef, Id, IdempotencyKey, PushConfig, RequestBase } from '../protocol/parts.ts';
import { type Account, resolveAccount } from '../selling/accounts.ts';
import { type Done, listStored, once } from '../selling/agent-requests.ts';
import { NO_PLACEMENTS } from '../selling/plan-package.ts';
import type { SellerContext } from '../api/seller-context.ts';
import { sellerTool } from './seller-tool.ts';

/** Most creatives of one request. */
const CREATIVES_MAX = 100;
/** Requests that may wait for a creative, newest first. */
const WAITING_MAX = 100;

const Request = z.looseObject({
  ...RequestBase,
  idempotency_key: IdempotencyKey,
  account: AccountRef,
  // Each creative is checked by itself, so that one mistake does not refuse the others.
  creatives: z
    .array(z.looseObject({ creative_id: z.unknown() }))
    .min(1)
    .max(CREATIVES_MAX),
  creative_ids: z.array(Id).min(1).max(CREATIVES_MAX).optional(),
  assignments: z
    .array(
      z.strictObject({
        creative_id: Id,
        package_id: Id,
        weight: z.number().min(0).max(100).optional(),
        placement_ids: z.array(z.string()).optional(),
      }),
    )
    .min(1)
    .max(1_000)
    .optional(),
  delete_missing: z.boolean().optional(),
  dry_run: z.boolean().optional(),
  validation_mode: z.enum(['strict', 'lenient']).optional(),
  push_notification_config: PushConfig.optional(),
});
type Request = z.infer<typeof Request>;

/** Adds and changes creatives of an account, and assigns them to packages. */
export const syncCreatives = sellerTool({
  name: 'sync_creatives',
  title: 'Send creatives',
  description:
    'Adds or changes creatives of the account by your own creative_id, and assigns them to packages. Creatives that packages were booked with are assigned when they come.',
  input: Request,
  changes: true,
  run: async (context, request) => {
    const account = await resolveAccount(context, request.account);
    if (request.delete_missing === true)
      throw new AdcpError('UNSUPPORTED_FEATURE', 'This seller deletes no creatives that are missing.', {
        field: 'delete_missing',
      });
    if (request.dry_run === true) return (await sync(context, request, account)).response;
    return once({ call: context.call, tool: 'sync_creatives', accountId: account.id, request }, () =>
      sync(context, request, account),
    );
  },
});

interface Synced {
  readonly creativeId: string;
  /** null: nothing is stored. */
  readonly stored: LibraryCreative | null;
  readonly result: Readonly<Record<string, unknown>>;
}

async function sync(context: SellerContext, request: Request, account: Account): Promise<Done> {
  const isDry = request.dry_run === true;
  const only = request.creative_ids;
  const wanted = request.creatives.filter(({ creative_id: id }) => only === undefined || only.includes(String(id)));
  const known = await findCreatives(
    context.call,
    account.id,
    wanted.map(({ creative_id: id }) => String(id)),
  );
  const synced: Synced[] = [];
  for (const one of wanted) synced.push(await syncOne(context, { given: one, account, known, isDry }));
  const assigned = isDry ? new Map<string, Assignments>() : await assignAll(context.call, request, account, synced);
  const creatives = synced.map(({ creativeId, result }) => ({ ...result, ...assigned.get(creativeId) }));
  return { state: 'COMPLETED', response: { ...(isDry ? { dry_run: true } : {}), creatives } };
}

interface One {
  readonly given: { readonly creative_id?: unknown };
  readonly account: Account;
  readonly known: ReadonlyMap<string, LibraryCreative>;
  readonly isDry: boolean;
}

async function syncOne(context: SellerContext, { given, account, known, isDry }: One): Promise<Synced> {
  const creativeId = String(given.creative_id).slice(0, 255);
  try {
    const creative = readRequest(CreativeAsset, given);
    const brandDomain = account.domains[0] ?? null;
    const fields = readCreative(creative, { agentUrl: context.agentUrl, brandDomain });
    const before = known.get(creative.creative_id) ?? null;
    const stored = await store(context.call, { creativeId, account, fields, before, isDry });
    const action = before === null ? 'created' : 'updated';
    const base = { creative_id: creativeId, action };
    if (stored === null) return { creativeId, stored: before, result: base };
    return {
      creativeId,
      stored,
      result: { ...base, status: REVIEW_STATUSES[stored.reviewState], platform_id: stored.id },
    };
  } catch (error) {
    const problem = problemOf(error);
    return {
      creativeId,
      stored: null,
      result: { creative_id: creativeId, action: 'failed', errors: [renderError(problem)] },
    };
  }
}

/** @throws the error itself where it is not about the creative */
function problemOf(error: unknown): AdcpError {
  if (error instanceof AdcpError) return error;
  if (!(error instanceof ApiRefusal) || error.code === 'conflict') throw error;
  return new AdcpError('CREATIVE_REJECTED', error.problems[0]?.message ?? error.message);
}

const STORED = 'id: databaseId externalId name status reviewState reviewReason format width height createdAt updatedAt';
export const CREATE = `mutation Create($input: CreateLibraryCreativeInput!, $isDry: Boolean) {
  stored: createLibraryCreative(input: $input, validateOnly: $isDry) { libraryCreative { ${STORED} } }
}`;
export const CHANGE = `mutation Change($id: ID!, $input: UpdateLibraryCreativeInput!, $isDry: Boolean) {
  stored: updateLibraryCreative(id: $id, input: $input, validateOnly: $isDry) { libraryCreative { ${STORED} } }
}`;

interface Stored {
  readonly stored: { readonly libraryCreative: LibraryCreative | null };
}

interface Storing {
  readonly creativeId: string;
  readonly account: Account;
  readonly fields: CreativeFields;
  readonly before: LibraryCreative | null;
  readonly isDry: boolean;
}

async function store(
  call: CallApi,
  { creativeId, account, fields, before, isDry }: Storing,
): Promise<LibraryCreative | null> {
  const variables =
    before === null
      ? { input: { ...fields, advertiserId: account.id, externalId: ownExternalId(account.id, creativeId) }, isDry }
      : { id: before.id, input: fields, isDry };
  const { stored } = await runGraphql<Stored>(call, { query: before === null ? CREATE : CHANGE, variables });
  return stored.libraryCreative;
}

interface Assignments {
  readonly assigned_to?: readonly string[];
  readonly assignment_errors?: Readonly<Record<string, string>>;
}

interface Wish {
  readonly creativeId: string;
  readonly packageId: string;
  readonly weight?: number | undefined;
  /** Whether it is restricted to placements. */
  readonly isRestricted?: boolean;
}

/** Assigns what the request asks for, and what packages wait for. Each assignment fails by itself. */
async function assignAll(
  call: CallApi,
  { assignments = [] }: Request,
  account: Account,
  synced: readonly Synced[],
): Promise<ReadonlyMap<string, Assignments>> {
  const others = assignments
    .map(({ creative_id: id }) => id)
    .filter((id) => !synced.some((one) => one.creativeId === id));
  const known = new Map([
    ...(await findCreatives(call, account.id, others)),
    ...synced.flatMap(({ creativeId, stored }) => (stored === null ? [] : [[creativeId, stored] as const])),
  ]);
  const wishes: Wish[] = [
    ...assignments.map(({ creative_id, package_id, weight, placement_ids: placements }) => ({
      creativeId: creative_id,
      packageId: package_id,
      weight,
      isRestricted: placements !== undefined,
    })),
    ...(await awaitedBy(call, account, new Set(synced.map(({ creativeId }) => creativeId)))),
  ];
  const results = new Map<string, { assigned_to: string[]; assignment_errors: Record<string, string> }>();
  for (const { creativeId, packageId, weight, isRestricted = false } of wishes) {
    const result = results.get(creativeId) ?? { assigned_to: [], assignment_errors: {} };
    results.set(creativeId, result);
    const problem = isRestricted
      ? NO_PLACEMENTS
      : await assignOne(call, { creative: known.get(creativeId), packageId, weight });
    if (problem === null) result.assigned_to.push(packageId);
    else result.assignment_errors[packageId] = problem;
  }
  return new Map(
    [...results].map(([id, { assigned_to: to, assignment_errors: errors }]) => [
      id,
      {
        ...(to.length === 0 ? {} : { assigned_to: [...new Set(to)] }),
        ...(Object.keys(errors).length === 0 ? {} : { assignment_errors: errors }),
      },
    ]),
  );
}

interface AssignOne {
  readonly creative: LibraryCreative | undefined;
  readonly packageId: string;
  readonly weight?: number | undefined;
}

/** null when it is assigned, else why not. A package of another account is not told from one that does not exist. */
async function assignOne(call: CallApi, { creative, packageId, weight }: AssignOne): Promise<string | null> {
  if (creative === undefined) return 'The account has no such creative.';
  if (!/^\d{1,19}$/.test(packageId)) return NO_PACKAGE;
  try {
    await associate(call, [{ lineItemId: packageId, libraryCreativeId: creative.id, weight }]);
    return null;
  } catch (error) {
    if (error instanceof AdcpError && error.code === 'VALIDATION_ERROR') return NO_PACKAGE;
    if (error instanceof ApiRefusal) return NO_PACKAGE;
    throw error;
  }
}

const NO_PACKAGE = 'The account has no such package, or its product does not take this format.';

/** Assignments that packages were booked with before their creatives existed. */
async function awaitedBy(call: CallApi, account: Account, ids: ReadonlySet<string>): Promise<Wish[]> {
  const requests = await listStored(call, { tools: ['create_media_buy', 'update_media_buy'], first: WAITING_MAX });
  return requests
    .filter(({ advertiserId, terms }) => advertiserId === account.id && terms !== null)
    .flatMap(({ terms }) =>
      Object.entries((terms as BuyTerms).packages).flatMap(([packageId, { awaited = [] }]) =>
        awaited
          .filter(({ creative_id: id }) => ids.has(id))
          .map(({ creative_id: creativeId, weight }) => ({ creativeId, packageId, weight })),
      ),
    );
}
