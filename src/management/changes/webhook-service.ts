import { randomBytes } from 'node:crypto';
import { readNewestSequence } from '../../access/audit/changes.sql.ts';
import { requireProof } from '../../access/permissions/verification.ts';
import { type FieldProblem, PlacardError } from '../../domain/errors.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import { quotaExceeded, QUOTAS } from '../../domain/tenancy/quota.ts';
import { deriveWebhookSecret } from '../../http/webhooks/webhook-message.ts';
import { findUrlProblem } from '../../http/webhooks/webhook-target.ts';
import type { ManagementContext } from '../kernel/context.ts';
import { changeAll } from '../kernel/transactions.sql.ts';
import { CHANGE_TYPES, TEST_TYPE, unknownTypes } from '../../domain/booking/change-types.ts';
import {
  countPending,
  countWebhooks,
  deleteWebhook,
  type DeliveryRow,
  insertTest,
  insertWebhook,
  lockWebhook,
  moveWebhook,
  PENDING_MAX,
  resendDeliveries,
  updateWebhook,
  type WebhookColumns,
  type WebhookRow,
} from './webhooks.sql.ts';

/** What a member gives; absent and null fields stay as they are. */
export interface WebhookInput {
  readonly name?: string | null;
  readonly url?: string | null;
  readonly types?: readonly string[] | null;
  readonly status?: WebhookRow['status'] | null;
  readonly rotateSecret?: boolean | null;
}

/** A webhook as it was changed; the secret is there when it is new. */
export interface WebhookChange {
  readonly webhook: WebhookRow;
  readonly secret: string | null;
}

type InTransaction = Parameters<Parameters<typeof changeAll>[2]>[0];

const WEBHOOKS_MAX = QUOTAS.webhooks.fixed;
const NAME_LENGTH_MAX = 200;
const TYPES_MAX = 50;
const RESENT_MAX = 1_000;

/** @throws PlacardError `validation_failed` naming each wrong field, `quota_exceeded`, `verification_required` */
export function createWebhook(context: ManagementContext, input: WebhookInput): Promise<WebhookChange> {
  return changeAll(context, false, async (inner) => {
    askAgainForSecret(context);
    const { workspaceId, networkId, actor } = inner.principal;
    const columns = readColumns(context, input, null);
    const used = await countWebhooks(inner.transaction, workspaceId);
    if (used >= WEBHOOKS_MAX) throw quotaExceeded('webhooks', { used, limit: WEBHOOKS_MAX }, 'Delete one first.');
    const position = await readNewestSequence(inner.transaction, networkId);
    const webhook = await insertWebhook(inner.transaction, workspaceId, { ...columns, created_by: actor, position });
    recordChange(inner, 'create', null, webhook);
    return { webhook, secret: secretOf(context, webhook) };
  });
}

/** @throws PlacardError `not_found`, `conflict`, `validation_failed`, `verification_required` */
export function changeWebhook(
  context: ManagementContext,
  change: { readonly id: string; readonly version: number | null; readonly input: WebhookInput },
): Promise<WebhookChange> {
  return changeAll(context, false, async (inner) => {
    const before = await lockOwn(inner, change.id);
    if (change.version !== null && change.version !== before.version) {
      const message = `The webhook is at version ${before.version}, not ${change.version}. Read it again.`;
      throw new PlacardError('conflict', message, { details: { currentVersion: before.version } });
    }
    const columns = readColumns(context, change.input, before);
    const isNewSecret = columns.salt !== before.salt;
    // Another address gets the messages: as much as a new secret.
    if (isNewSecret || columns.url !== before.url) askAgainForSecret(context);
    const webhook = await updateWebhook(inner.transaction, before.workspace_id, before.id, columns);
    recordChange(inner, 'update', before, webhook);
    return { webhook, secret: isNewSecret ? secretOf(context, webhook) : null };
  });
}

/** Deletes it with the list of its messages. @throws PlacardError `not_found` */
export function removeWebhook(context: ManagementContext, id: string): Promise<WebhookRow> {
  return changeAll(context, false, async (inner) => {
    const webhook = await lockOwn(inner, id);
    await deleteWebhook(inner.transaction, webhook.workspace_id, webhook.id);
    recordChange(inner, 'delete', webhook, null);
    return webhook;
  });
}

/** Puts a test message into the queue. @throws PlacardError `not_found`, `invalid_request` */
export function testWebhook(context: ManagementContext, id: string): Promise<DeliveryRow> {
  return changeAll(context, false, async (inner) => {
    const webhook = await lockOwn(inner, id);
    if (webhook.status !== 'ACTIVE') {
      throw new PlacardError('invalid_request', 'The webhook is PAUSED and sends nothing. Set its status to ACTIVE.');
    }
    const { transaction } = inner;
    if ((await countPending(transaction, webhook.workspace_id, webhook.id, PENDING_MAX)) >= PENDING_MAX) {
      const message = `${PENDING_MAX} messages of this webhook wait. Test it when the receiver has accepted some.`;
      throw new PlacardError('invalid_request', message);
    }
    recordChange(inner, 'test', null, webhook);
    return insertTest(transaction, webhook.workspace_id, webhook.id, TEST_TYPE);
  });
}

/** Which messages are sent again: those of all changes after a cursor, or single ones. */
export interface ResendChoice {
  readonly after?: string | null | undefined;
  readonly deliveryIds?: readonly string[] | null | undefined;
}

/** Sends messages again; returns how many, or null when they are those of all changes after a cursor. @throws PlacardError `not_found`, `invalid_request` */
export function resendMessages(context: ManagementContext, id: string, choice: ResendChoice): Promise<number | null> {
  const ids = choice.deliveryIds ?? null;
  const after = choice.after ?? null;
  if ((ids === null) === (after === null)) {
    throw new PlacardError('invalid_request', 'Give `after` or `deliveryIds`, and not both.');
  }
  return changeAll(context, false, async (inner) => {
    const webhook = await lockOwn(inner, id);
    recordChange(inner, 'resend', null, webhook);
    if (ids !== null) return resendDeliveries(inner.transaction, webhook.workspace_id, webhook.id, readIds(ids));
    const from = /^\d{1,18}$/.test(after ?? '') ? BigInt(after ?? '') : null;
    if (from === null || from > webhook.position) {
      const message = `\`after\` is the number of a change before ${webhook.position}, up to which messages were made.`;
      throw new PlacardError('invalid_request', message);
    }
    await moveWebhook(inner.transaction, webhook.workspace_id, webhook.id, from);
    return null;
  });
}

function readIds(given: readonly string[]): readonly bigint[] {
  if (given.length === 0 || given.length > RESENT_MAX || !given.every(isDecimalId)) {
    throw new PlacardError('invalid_request', `\`deliveryIds\` are 1 to ${RESENT_MAX} ids of messages.`);
  }
  return given.map(BigInt);
}

async function lockOwn(inner: InTransaction, id: string): Promise<WebhookRow> {
  const found = isDecimalId(id)
    ? await lockWebhook(inner.transaction, inner.principal.workspaceId, BigInt(id))
    : undefined;
  if (found === undefined) throw new PlacardError('not_found', 'There is no webhook with this id.');
  return found;
}

/** The secret keeps working after a session has ended. */
function askAgainForSecret({ principal }: ManagementContext): void {
  requireProof(principal, 'webhookSecret.create');
}

function secretOf({ secrets }: ManagementContext, { workspace_id: workspaceId, salt }: WebhookRow): string {
  return deriveWebhookSecret(secrets.pepper, workspaceId, salt);
}

function readColumns(
  { webhookPolicy }: ManagementContext,
  input: WebhookInput,
  before: WebhookRow | null,
): WebhookColumns {
  const fields: FieldProblem[] = [];
  const name = (input.name ?? before?.name ?? '').trim();
  const url = input.url ?? before?.url ?? '';
  const types = [...new Set(input.types ?? before?.types ?? [])];
  if (name === '' || name.length > NAME_LENGTH_MAX || /\p{Cc}/u.test(name)) {
    const message = `Give a name of 1 to ${NAME_LENGTH_MAX} characters without line breaks.`;
    fields.push({ path: 'input.name', code: 'invalid_name', message });
  }
  const address = findUrlProblem(url, webhookPolicy);
  if (address !== null) fields.push({ path: 'input.url', code: 'invalid_webhook_url', message: address });
  if (types.length === 0 || types.length > TYPES_MAX) {
    fields.push({ path: 'input.types', code: 'invalid_types', message: `Give 1 to ${TYPES_MAX} types, such as "*".` });
  }
  const unknown = unknownTypes(types.slice(0, TYPES_MAX));
  if (unknown.length > 0) {
    const named = unknown.map((one) => JSON.stringify(one.slice(0, 40))).join(', ');
    const message = `No change has the type ${named}. Give "*", a kind such as "lineItem.*", or types among: ${CHANGE_TYPES.join(', ')}.`;
    fields.push({ path: 'input.types', code: 'invalid_types', message });
  }
  if (fields.length > 0) {
    const message = fields.map((problem) => `${problem.path}: ${problem.message}`).join(' ');
    throw new PlacardError('validation_failed', message, { fields });
  }
  const isRotated = before === null || input.rotateSecret === true;
  const status = input.status ?? before?.status ?? 'ACTIVE';
  return { name, url, types, status, salt: isRotated ? randomBytes(16).toString('hex') : before.salt };
}

function recordChange(inner: InTransaction, verb: string, before: WebhookRow | null, after: WebhookRow | null): void {
  inner.audits.push({
    by: inner.principal,
    action: `webhook.${verb}`,
    objectKind: 'webhook',
    objectId: String((after ?? before)?.id),
    ...(before === null ? {} : { before: shown(before) }),
    ...(after === null ? {} : { after: shown(after) }),
    more: { requestId: inner.requestId },
  });
}

function shown({ name, url, types, status }: WebhookRow) {
  return { name, url, types, status };
}
