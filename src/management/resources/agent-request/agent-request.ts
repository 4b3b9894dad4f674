import { PlacardError, type FieldProblem } from '../../../domain/errors.ts';
import { decimalIdOf } from '../../../domain/ids/global-ids.ts';
import { isDecimalId } from '../../../domain/ids/ids.ts';
import { AFTER_TEXT, firstText, readListPage } from '../../../domain/ids/list-page.ts';
import { builder, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../../kernel/builder.ts';
import { validationFailed } from '../../kernel/drafts.ts';
import { report } from '../../kernel/field.ts';
import { PayloadRef } from '../../kernel/interfaces.ts';
import { type Outcome, outcomeOf, outcomeRef } from '../../kernel/outcome.ts';
import { checkText } from '../../kernel/scalar-fields.ts';
import { changeAll, queryableOf } from '../../kernel/transactions.sql.ts';
import { withUserErrors } from '../../kernel/user-errors.ts';
import type { InTransaction } from '../../kernel/write.ts';
import { sealTarget } from '../../changes/agent-notice-target.ts';
import { checkLive, withdrawBooking } from './decided-booking.ts';
import { NoticeInput, readNotice } from './agent-notice-input.ts';
import { BeginningRef, DecisionRef, RequestRef, StateRef } from './agent-request-types.ts';
import {
  type AgentRequestRow,
  findBooking,
  findRequest,
  hasAdvertiser,
  insertRequest,
  listRequests,
  lockRequest,
  lockRequestOfKey,
  sweepRequests,
  updateRequest,
} from './agent-requests.sql.ts';

const TOOL_MAX = 60;
const KEY_MAX = 255;
const DIGEST_MAX = 100;
const REASON_MAX = 500;
/** Characters of the arguments and of a response that are kept. */
const JSON_MAX = 500_000;
/** After that time, a request that runs has lost its process, and the next one with its key goes on. */
const RUNS_MS_MAX = 120_000;
/** How long requests that booked nothing are kept. */
const KEPT_MS = 30 * 86_400_000;
const FILTER_MAX = 100;
/** Of a request that was ended at once: its caller has the response. */
const NO_NOTICE = { notice_target: null, notice_status: null } as const;

builder.queryFields((t) => ({
  agentRequest: t.field({
    type: RequestRef,
    nullable: true,
    description: "A request of a buyer's agent; null where there is none.",
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: async (_root, { id }, context) =>
      isDecimalId(String(id))
        ? ((await findRequest(queryableOf(context), context.principal.workspaceId, BigInt(id))) ?? null)
        : null,
  }),
  agentRequests: t.field({
    type: [RequestRef],
    description: "What buyers' agents asked for, newest first.",
    args: {
      states: t.arg({ type: [StateRef], description: 'Only those that are so far.' }),
      tools: t.arg.stringList({ description: `Only calls of these tools, at most ${FILTER_MAX}.` }),
      campaignIds: t.arg.idList({ description: `Only those of these campaigns, at most ${FILTER_MAX}.` }),
      first: t.arg.int({ description: firstText(PAGE_SIZE_MAX, PAGE_SIZE_DEFAULT) }),
      after: t.arg.id({ description: AFTER_TEXT }),
    },
    resolve: async (_root, { states, tools, campaignIds, ...given }, context) => {
      const page = readListPage('AgentRequest', given, { sizeMax: PAGE_SIZE_MAX, usual: PAGE_SIZE_DEFAULT });
      if ((tools?.length ?? 0) > FILTER_MAX || (campaignIds?.length ?? 0) > FILTER_MAX)
        throw new PlacardError('invalid_request', `A filter has at most ${FILTER_MAX} values.`);
      const ids = campaignIds?.flatMap((id) => decimalIdOf('Campaign', id) ?? []).map(BigInt) ?? null;
      if ([states, tools, ids].some((list) => list?.length === 0)) return [];
      const filter = { states: states ?? null, tools: tools ?? null, campaignIds: ids };
      return listRequests(queryableOf(context), context.principal.workspaceId, filter, page);
    },
  }),
}));

interface Begun {
  readonly beginning: 'NEW' | 'REPLAY' | 'CONFLICT' | 'IN_FLIGHT' | null;
  readonly row: AgentRequestRow | null;
  readonly userErrors?: never;
}

const BegunRef = builder.objectRef<Begun>('BeginAgentRequestPayload').implement({
  description: 'The result of a request that begins.',
  interfaces: [PayloadRef as never],
  fields: (t) => ({
    beginning: t.field({
      type: BeginningRef,
      nullable: true,
      description: 'What it is to the ones before it; null when its input was refused.',
      resolve: ({ beginning }) => beginning,
    }),
    agentRequest: t.field({
      type: RequestRef,
      nullable: true,
      description: 'The request of its key; null for a CONFLICT.',
      resolve: ({ beginning, row }) => (beginning === 'CONFLICT' ? null : row),
    }),
  }),
});

const RequestPayloadRef = outcomeRef<AgentRequestRow>('AgentRequestPayload', 'The result of a change of a request.', {
  name: 'agentRequest',
  type: RequestRef,
  description: 'The request after it, or as it was.',
});

const BeginInput = builder.inputType('BeginAgentRequestInput', {
  description: "What a buyer's agent asks for.",
  fields: (t) => ({
    tool: t.string({ required: true, description: `The tool, 1…${TOOL_MAX} characters.` }),
    idempotencyKey: t.string({ required: true, description: `The agent's own key of it, 1…${KEY_MAX} characters.` }),
    digest: t.string({ required: true, description: 'A digest of its arguments: the same for the same request.' }),
    advertiserId: t.id({ description: 'The advertiser that it is for.' }),
    request: t.field({ type: 'JSON', required: true, description: 'Its arguments, without secrets.' }),
    notice: t.field({ type: NoticeInput, description: 'Where its caller is told of a decision; default: nowhere.' }),
  }),
});

const EndInput = builder.inputType('EndAgentRequestInput', {
  description: "What a buyer's agent is told.",
  fields: (t) => ({
    state: t.field({ type: StateRef, required: true, description: 'COMPLETED, or SUBMITTED: a person decides.' }),
    response: t.field({ type: 'JSON', required: true, description: 'The response.' }),
    terms: t.field({ type: 'JSON', description: 'Terms of the booking that the campaign itself does not have.' }),
    campaignId: t.id({ description: 'The campaign that it booked or changed.' }),
  }),
});

builder.mutationFields((t) => ({
  beginAgentRequest: t.field({
    type: BegunRef,
    nullable: true,
    description: "Notes what a buyer's agent asks for, before it is done. The same key of the same caller begins once.",
    args: { input: t.arg({ type: BeginInput, required: true, description: 'The request.' }) },
    resolve: (_root, { input }, context, info) =>
      withUserErrors<Begun>(
        context,
        info,
        () => changeAll(context, false, (inner) => begin(inner, input)),
        (userErrors) => ({ beginning: null, row: null, userErrors }) as never,
      ),
  }),
  endAgentRequest: t.field({
    type: RequestPayloadRef,
    nullable: true,
    description: 'Notes the response to a request that runs. Only its caller ends it.',
    args: {
      id: t.arg.id({ required: true, description: 'Its id.' }),
      input: t.arg({ type: EndInput, required: true, description: 'The response.' }),
    },
    resolve: (_root, { id, input }, context, info): Promise<Outcome<AgentRequestRow>> =>
      outcomeOf(context, info, () => changeAll(context, false, (inner) => end(inner, String(id), input))),
  }),
  discardAgentRequest: t.field({
    type: RequestPayloadRef,
    nullable: true,
    description: 'Notes that a request failed: its key is free again. Only its caller does.',
    args: {
      id: t.arg.id({ required: true, description: 'Its id.' }),
      response: t.arg({ type: 'JSON', required: true, description: 'What the agent is told.' }),
    },
    resolve: (_root, { id, response }, context, info): Promise<Outcome<AgentRequestRow>> =>
      outcomeOf(context, info, () => changeAll(context, false, (inner) => discard(inner, String(id), response))),
  }),
  decideAgentRequest: t.field({
    type: RequestPayloadRef,
    nullable: true,
    description:
      'Approves or rejects a request that waits. Before it is approved, its campaign has to be ACTIVE, with line items of which none is a DRAFT. A rejection archives the drafts; the agent reads its reason.',
    args: {
      id: t.arg.id({ required: true, description: 'Its id.' }),
      decision: t.arg({ type: DecisionRef, required: true, description: 'The decision.' }),
      reason: t.arg.string({ description: `Why, at most ${REASON_MAX} characters. A rejection needs it.` }),
    },
    resolve: (_root, { id, decision, reason }, context, info): Promise<Outcome<AgentRequestRow>> =>
      outcomeOf(context, info, () =>
        changeAll(context, false, (inner) => decide(inner, String(id), { decision, reason: reason?.trim() ?? '' })),
      ),
  }),
}));

/** The credential of a caller: requests belong to it, and so do their keys. */
function callerOf({ principal }: Pick<InTransaction, 'principal'>): string {
  return `${principal.kind}:${principal.id}`;
}

async function begin(inner: InTransaction, input: typeof BeginInput.$inferInput): Promise<Begun> {
  const { transaction, principal } = inner;
  const { workspaceId } = principal;
  const at = new Date(inner.nowMs());
  const problems: FieldProblem[] = [];
  checkText(input.tool, 'input.tool', { lengthMax: TOOL_MAX }, problems);
  if (input.idempotencyKey.startsWith(' '))
    report(problems, 'input.idempotencyKey', 'invalid', 'A key does not begin with a space.');
  checkText(input.idempotencyKey, 'input.idempotencyKey', { lengthMax: KEY_MAX }, problems);
  checkText(input.digest, 'input.digest', { lengthMax: DIGEST_MAX }, problems);
  checkSize(input.request, 'input.request', problems);
  const advertiserId = await readAdvertiser(inner, input.advertiserId ?? null, problems);
  const notice = input.notice
    ? readNotice(input.notice, 'input.notice', { policy: inner.webhookPolicy, problems })
    : null;
  if (problems.length > 0) throw validationFailed(problems);
  await sweepRequests(transaction, workspaceId, new Date(inner.nowMs() - KEPT_MS));
  const given = {
    workspaceId,
    caller: callerOf(inner),
    agent: principal.agent ?? '',
    tool: input.tool,
    advertiserId,
    idempotencyKey: input.idempotencyKey,
    digest: input.digest,
    request: input.request,
    noticeTarget:
      notice === null
        ? null
        : sealTarget(inner.secrets.pepper, { workspaceId, idempotencyKey: input.idempotencyKey }, notice),
    at,
  };
  const inserted = await insertRequest(transaction, given);
  if (inserted !== null) return { beginning: 'NEW', row: inserted };
  const before = await lockRequestOfKey(transaction, given);
  if (before === undefined || before.digest !== input.digest || before.tool !== input.tool)
    return { beginning: 'CONFLICT', row: null };
  if (before.state !== 'RUNNING') return { beginning: 'REPLAY', row: before };
  if (at.getTime() - before.updated_at.getTime() < RUNS_MS_MAX) return { beginning: 'IN_FLIGHT', row: before };
  return { beginning: 'NEW', row: await updateRequest(transaction, workspaceId, before.id, { updated_at: at }) };
}

async function readAdvertiser(
  { transaction, principal }: InTransaction,
  given: string | number | null,
  problems: FieldProblem[],
): Promise<bigint | null> {
  if (given === null) return null;
  const id = decimalIdOf('Advertiser', given);
  const isKnown = id !== null && (await hasAdvertiser(transaction, principal.workspaceId, BigInt(id)));
  if (!isKnown) report(problems, 'input.advertiserId', 'unknown', 'There is no advertiser with this id.');
  return isKnown ? BigInt(id) : null;
}

function checkSize(value: unknown, path: string, problems: FieldProblem[]): void {
  if (JSON.stringify(value).length > JSON_MAX)
    report(problems, path, 'too_long', `Give at most ${JSON_MAX} characters of JSON.`);
}

/** A request of the caller that runs. @throws PlacardError `not_found`, also for one of another caller */
async function lockRunning(inner: InTransaction, id: string): Promise<AgentRequestRow> {
  const row = await lockKnown(inner, id);
  if (row.caller !== callerOf(inner)) throw noRequest();
  if (row.state !== 'RUNNING') throw new PlacardError('conflict', 'This request has ended already.');
  return row;
}

async function lockKnown({ transaction, principal }: InTransaction, id: string): Promise<AgentRequestRow> {
  const row = isDecimalId(id) ? await lockRequest(transaction, principal.workspaceId, BigInt(id)) : undefined;
  if (row === undefined) throw noRequest();
  return row;
}

function noRequest(): PlacardError {
  return new PlacardError('not_found', 'There is no request with this id.');
}

async function end(inner: InTransaction, id: string, input: typeof EndInput.$inferInput): Promise<AgentRequestRow> {
  const { transaction, principal } = inner;
  const row = await lockRunning(inner, id);
  const problems: FieldProblem[] = [];
  checkSize(input.response, 'input.response', problems);
  if (input.terms !== null && input.terms !== undefined) checkSize(input.terms, 'input.terms', problems);
  if (input.state !== 'COMPLETED' && input.state !== 'SUBMITTED')
    report(problems, 'input.state', 'not_allowed', 'A request ends as COMPLETED or SUBMITTED.');
  const campaignId = await readCampaign(inner, row, input.campaignId ?? null, problems);
  if (problems.length > 0) throw validationFailed(problems);
  return updateRequest(transaction, principal.workspaceId, row.id, {
    state: input.state,
    response: JSON.stringify(input.response),
    terms: input.terms === null || input.terms === undefined ? null : JSON.stringify(input.terms),
    campaign_id: campaignId,
    ...(input.state === 'SUBMITTED' ? {} : NO_NOTICE),
    updated_at: new Date(inner.nowMs()),
  });
}

async function discard(inner: InTransaction, id: string, response: unknown): Promise<AgentRequestRow> {
  const row = await lockRunning(inner, id);
  const problems: FieldProblem[] = [];
  checkSize(response, 'response', problems);
  if (problems.length > 0) throw validationFailed(problems);
  return updateRequest(inner.transaction, inner.principal.workspaceId, row.id, {
    state: 'FAILED',
    // No agent has such a key: it begins with a space.
    idempotency_key: ` failed ${row.id}`,
    response: JSON.stringify(response),
    ...NO_NOTICE,
    updated_at: new Date(inner.nowMs()),
  });
}

/** The campaign of a request is one of its advertiser. */
async function readCampaign(
  { transaction, principal }: InTransaction,
  { advertiser_id: advertiserId }: AgentRequestRow,
  given: string | number | null,
  problems: FieldProblem[],
): Promise<bigint | null> {
  if (given === null) return null;
  const id = decimalIdOf('Campaign', given);
  const booking = id === null ? undefined : await findBooking(transaction, principal.workspaceId, BigInt(id));
  const isOwn = booking !== undefined && booking.advertiser_id === advertiserId;
  if (!isOwn) report(problems, 'input.campaignId', 'unknown', 'The advertiser has no campaign with this id.');
  return isOwn && id !== null ? BigInt(id) : null;
}

interface Decision {
  readonly decision: 'APPROVE' | 'REJECT';
  readonly reason: string;
}

async function decide(inner: InTransaction, id: string, { decision, reason }: Decision): Promise<AgentRequestRow> {
  const { transaction, principal } = inner;
  const row = await lockKnown(inner, id);
  if (row.state !== 'SUBMITTED') throw new PlacardError('conflict', 'This request does not wait for a decision.');
  const problems: FieldProblem[] = [];
  if (reason !== '') checkText(reason, 'reason', { lengthMax: REASON_MAX }, problems);
  if (decision === 'REJECT' && reason === '')
    report(problems, 'reason', 'required', 'Say why it is rejected: the agent reads it.');
  if (problems.length > 0) throw validationFailed(problems);
  const booking =
    row.campaign_id === null ? undefined : await findBooking(transaction, principal.workspaceId, row.campaign_id);
  if (decision === 'APPROVE') await checkLive(inner, row, booking?.status);
  else if (row.campaign_id !== null && booking?.status === 'DRAFT') await withdrawBooking(inner, row.campaign_id);
  const at = new Date(inner.nowMs());
  inner.audits.push({
    by: principal,
    action: 'agentRequest.decide',
    objectKind: 'agentRequest',
    objectId: String(row.id),
    after: { decision, reason },
    more: { requestId: inner.requestId },
  });
  return updateRequest(transaction, principal.workspaceId, row.id, {
    state: decision === 'APPROVE' ? 'COMPLETED' : 'REJECTED',
    reason: reason === '' ? null : reason,
    decided_by: principal.actor,
    decided_at: at,
    ...(row.notice_status === 'WAITING' ? { notice_status: 'PENDING', notice_next_at: at } : {}),
    updated_at: at,
  });
}
