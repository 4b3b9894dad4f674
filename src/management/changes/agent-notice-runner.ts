import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Log } from '../../domain/log/log.ts';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import { deriveSigningKey, publicJwk, type SigningKey, signPost } from '../../http/webhooks/http-signature.ts';
import { sendPost, type WebhookSending } from '../../http/webhooks/webhook-message.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { claimNotices, type DueNotice, recordNotice } from './agent-notices.sql.ts';
import { type NoticeTarget, openTarget } from './agent-notice-target.ts';

/** The dependencies of the runner. Durations are in milliseconds. */
export interface AgentNoticeDeps {
  readonly sql: Kysely<Database>;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly pepper: Buffer;
  readonly sending: WebhookSending;
  readonly timing?: { readonly pollMs: number; readonly retryWaitsMs: readonly number[] };
}

const TIMING = { pollMs: 2_000, retryWaitsMs: [30_000, 120_000, 600_000, 3_600_000, 10_800_000] };
const NOTICES_AT_ONCE = 20;
const LEASE_MS = 60_000;
const CONTENT_TYPE = 'application/json';
const STATUSES = { COMPLETED: 'completed', REJECTED: 'rejected' } as const;

/** The key that signs the notices of a network. */
function noticeKeyOf(pepper: Buffer, networkId: string, environment: string): SigningKey {
  return deriveSigningKey(pepper, `${networkId}/${environment}`);
}

/** Its public half, as receivers look it up. */
export function noticeJwkOf(pepper: Buffer, networkId: string, environment: string): object {
  return publicJwk(noticeKeyOf(pepper, networkId, environment));
}

/** Tells agents of decisions about their requests. Any number of processes may do it at once. */
export class AgentNoticeRunner extends RecurringJob {
  readonly #deps: AgentNoticeDeps;

  constructor(deps: AgentNoticeDeps) {
    super({ firstMs: 0, everyMs: (deps.timing ?? TIMING).pollMs });
    this.#deps = deps;
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('webhooks.check_failed', { err: error });
  }

  /** Sends what is due now. @throws what the stores throw */
  async run(): Promise<void> {
    const due = await claimNotices(this.#deps.sql, NOTICES_AT_ONCE, LEASE_MS);
    await Promise.all(due.map((notice) => this.#tell(notice)));
  }

  async #tell(notice: DueNotice): Promise<void> {
    const { sql, log, timing = TIMING } = this.#deps;
    try {
      const isAccepted = await this.#send(notice);
      const retryMs = isAccepted ? null : (timing.retryWaitsMs[notice.notice_attempts - 1] ?? null);
      const status = isAccepted ? 'DELIVERED' : retryMs === null ? 'FAILED' : 'PENDING';
      await recordNotice(sql, notice, { status, retryMs });
    } catch (error) {
      // It is taken again when its lease ends.
      log.event('webhooks.state_unknown', { err: error, webhookId: `agent request ${notice.id}` });
    }
  }

  /** Whether the receiver accepted it. */
  async #send(notice: DueNotice): Promise<boolean> {
    const { pepper, nowMs, sending } = this.#deps;
    const owner = { workspaceId: notice.workspace_id, idempotencyKey: notice.idempotency_key };
    const target = openTarget(pepper, owner, notice.notice_target);
    const networkId = String(notice.network_id);
    const body = JSON.stringify(bodyOf(notice, target, pepper));
    const headers = headersOf(target, body, {
      nowMs: nowMs(),
      key: noticeKeyOf(pepper, networkId, notice.environment),
    });
    return sendPost({ url: target.url, networkId, body, headers }, sending).then(
      () => true,
      () => false,
    );
  }
}

/** A notice as `core/mcp-webhook-payload.json` of the Ad Context Protocol has it. Each try has the same body. */
function bodyOf(notice: DueNotice, { token, operationId }: NoticeTarget, pepper: Buffer) {
  const { id, tool, state, reason, decided_at: decidedAt, campaign_id: campaignId } = notice;
  const key = createHmac('sha256', pepper).update(`agent-notice/${notice.workspace_id}/${id}`).digest('base64url');
  return {
    idempotency_key: `notice_${key}`,
    operation_id: operationId ?? String(id),
    task_id: String(id),
    task_type: tool,
    protocol: 'media-buy',
    status: STATUSES[state],
    timestamp: decidedAt.toISOString(),
    ...(token === null ? {} : { token }),
    message:
      state === 'COMPLETED'
        ? `The publisher approved it: media buy ${campaignId}. get_task_status has the whole result.`
        : (reason ?? 'The publisher rejected it.'),
    ...(state === 'COMPLETED'
      ? {}
      : { result: { errors: [{ code: 'TERMS_REJECTED', message: reason ?? 'The publisher rejected it.' }] } }),
  };
}

interface Signing {
  readonly nowMs: number;
  readonly key: SigningKey;
}

function headersOf(target: NoticeTarget, body: string, { nowMs, key }: Signing): Record<string, string> {
  const { scheme, url } = target;
  const credentials = target.credentials ?? '';
  const at = String(Math.floor(nowMs / 1_000));
  switch (scheme) {
    case 'HTTP_SIGNATURE':
      return signPost({ url, contentType: CONTENT_TYPE, body }, key, {
        tag: 'adcp/webhook-signing/v1',
        nowMs,
      });
    case 'HMAC_SHA256': {
      const digest = createHmac('sha256', credentials).update(`${at}.${body}`).digest('hex');
      return { 'content-type': CONTENT_TYPE, 'x-adcp-timestamp': at, 'x-adcp-signature': `sha256=${digest}` };
    }
    case 'BEARER':
      return { 'content-type': CONTENT_TYPE, authorization: `Bearer ${credentials}` };
  }
}
