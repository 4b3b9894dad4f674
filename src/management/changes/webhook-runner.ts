import type { Kysely } from 'kysely';
import { isTooLong } from '../../access/audit/audit-chain.ts';
import type { StoredAuditRecord } from '../../access/audit/audit.sql.ts';
import { listChanges, readChangesOf, readNewestSequence } from '../../access/audit/changes.sql.ts';
import type { Log } from '../../domain/log/log.ts';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import {
  deriveWebhookSecret,
  sendMessage,
  WebhookRefusal,
  type WebhookSending,
} from '../../http/webhooks/webhook-message.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { includesType, TOLD_KINDS } from '../../domain/booking/change-types.ts';
import {
  type ClaimedWebhook,
  claimWebhooks,
  countPending,
  deleteOldDeliveries,
  type DeliveryOutcome,
  type DeliveryRow,
  hastenDeliveries,
  insertDeliveries,
  listDue,
  lockWebhook,
  moveWebhook,
  PENDING_MAX,
  recordTries,
  releaseWebhook,
} from './webhooks.sql.ts';

/** The dependencies of the runner. Durations are in milliseconds. */
export interface WebhookRunnerDeps {
  readonly sql: Kysely<Database>;
  readonly log: Log;
  readonly nowMs: () => number;
  /** The installation's secret that webhook secrets are derived from. */
  readonly pepper: Buffer;
  readonly sending: WebhookSending;
  readonly timing?: WebhookTiming;
  /** Messages of one webhook that may wait; further changes become messages when those are sent. */
  readonly pendingMax?: number;
}

/** How fast the runner works. Durations are in milliseconds. */
export interface WebhookTiming {
  readonly pollMs: number;
  /** Waits before the second, third … try of a message; after the last one it is given up. */
  readonly retryWaitsMs: readonly number[];
  /** The pause between two tries, of whatever message, of a receiver that fails. */
  readonly failingPauseMs: number;
}

const TIMING: WebhookTiming = {
  pollMs: 2_000,
  retryWaitsMs: [30_000, 120_000, 600_000, 3_600_000, 10_800_000],
  failingPauseMs: 30_000,
};
const WEBHOOKS_AT_ONCE = 20;
/** Receivers of one network that are slow leave the others to other networks. */
const OF_NETWORK_AT_ONCE = 5;
const MESSAGES_AT_ONCE = 10;
/** Then other webhooks have their turn. */
const ROUNDS_MAX = 20;
const SLICE_MS = 15_000;
const LEASE_MS = 600_000;
/** How long ended messages stay, and how many. */
const KEPT = { days: 30, kept: 10_000 };

/** Makes messages of changes, and sends them. Any number of processes may do it at once. */
export class WebhookRunner extends RecurringJob {
  readonly #deps: WebhookRunnerDeps;
  readonly #timing: WebhookTiming;
  /** The networks of webhooks that are being served: a slow receiver keeps no other one waiting. */
  readonly #serving = new Map<Promise<void>, bigint>();

  constructor(deps: WebhookRunnerDeps) {
    const timing = deps.timing ?? TIMING;
    super({ firstMs: 0, everyMs: timing.pollMs });
    this.#deps = deps;
    this.#timing = timing;
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('webhooks.check_failed', { err: error });
  }

  /** Begins what is due now. @throws what the stores throw */
  async run(): Promise<void> {
    const free = WEBHOOKS_AT_ONCE - this.#serving.size;
    if (free === 0) return;
    const bounds = { max: free, ofNetworkMax: OF_NETWORK_AT_ONCE, serving: [...this.#serving.values()] };
    for (const webhook of await claimWebhooks(this.#deps.sql, bounds, LEASE_MS)) {
      const serving = this.#serve(webhook).finally(() => this.#serving.delete(serving));
      this.#serving.set(serving, webhook.network_id);
    }
  }

  override async stop(): Promise<void> {
    await super.stop();
    await Promise.all(this.#serving.keys());
  }

  async #serve(claimed: ClaimedWebhook): Promise<void> {
    const { sql, log } = this.#deps;
    const endMs = performance.now() + SLICE_MS;
    let isFailing = claimed.failing_since !== null;
    let webhook: ClaimedWebhook | null = claimed;
    try {
      for (let round = 0; round < ROUNDS_MAX && performance.now() < endMs && !this.isStopped; round += 1) {
        webhook = await this.#makeMessages(webhook);
        if (webhook === null) break;
        // A receiver that fails gets one message at a time, until it accepts one.
        const sent = await this.#send(webhook, isFailing ? 1 : MESSAGES_AT_ONCE);
        if (sent === null) break;
        if (sent.isAccepted && isFailing) await hastenDeliveries(sql, webhook.workspace_id, webhook.id);
        isFailing = !sent.isAccepted;
        if (isFailing) break;
      }
      await deleteOldDeliveries(sql, claimed.workspace_id, claimed.id, KEPT);
    } catch (error) {
      log.event('webhooks.state_unknown', { err: error, webhookId: String(claimed.id) });
    } finally {
      await releaseWebhook(sql, claimed, isFailing ? this.#timing.failingPauseMs : 0).catch((error: unknown) =>
        log.event('webhooks.state_unknown', { err: error, webhookId: String(claimed.id) }),
      );
    }
  }

  /**
   * Messages and position change together: each change gets its message once, also when a process dies. Returns the webhook as it is now, so
   * that a new address or secret counts for the next message; null when it sends nothing any more.
   */
  #makeMessages(webhook: ClaimedWebhook): Promise<ClaimedWebhook | null> {
    const { sql, pendingMax = PENDING_MAX } = this.#deps;
    const { workspace_id: workspaceId, id, network_id: networkId } = webhook;
    return sql.transaction().execute(async (trx) => {
      const row = await lockWebhook(trx, workspaceId, id);
      if (row === undefined || row.status !== 'ACTIVE') return null;
      const current = { ...webhook, url: row.url, salt: row.salt };
      const pending = await countPending(trx, workspaceId, id, pendingMax);
      const newest = await readNewestSequence(trx, String(networkId));
      if (pending >= pendingMax || row.position >= newest) return current;
      const scope = { networkId: String(networkId), workspaceId, kinds: TOLD_KINDS };
      const page = { after: row.position, newest, limit: pendingMax - pending };
      const { changes, through } = await listChanges(trx, scope, page);
      const wanted = changes.filter(({ action }) => includesType(row.types, action));
      await insertDeliveries(
        trx,
        workspaceId,
        id,
        wanted.map(({ sequence, action }) => ({ sequence, type: action })),
      );
      await moveWebhook(trx, workspaceId, id, through);
      return current;
    });
  }

  /** One round of messages; null when none was due. */
  async #send(webhook: ClaimedWebhook, limit: number): Promise<{ readonly isAccepted: boolean } | null> {
    const { sql } = this.#deps;
    const { workspace_id: workspaceId, id, network_id: networkId } = webhook;
    const due = await listDue(sql, workspaceId, id, limit);
    if (due.length === 0) return null;
    const sequences = due.flatMap(({ sequence }) => (sequence === null ? [] : [sequence]));
    const changes = await readChangesOf(sql, { networkId: String(networkId), workspaceId }, sequences);
    const bySequence = new Map(changes.map((change) => [change.sequence, change]));
    const outcomes = await Promise.all(
      due.map((delivery) => this.#try(webhook, delivery, bySequence.get(delivery.sequence ?? -1n) ?? null)),
    );
    await recordTries(sql, workspaceId, id, outcomes);
    return { isAccepted: outcomes.some(({ status }) => status === 'DELIVERED') };
  }

  async #try(
    webhook: ClaimedWebhook,
    delivery: DeliveryRow,
    change: StoredAuditRecord | null,
  ): Promise<DeliveryOutcome> {
    const { pepper, nowMs, sending } = this.#deps;
    const secret = deriveWebhookSecret(pepper, webhook.workspace_id, webhook.salt);
    const body = JSON.stringify(describe(webhook, delivery, change));
    const networkId = String(webhook.network_id);
    const message = { url: webhook.url, networkId, secret, id: String(delivery.id), body, nowMs: nowMs() };
    const result = await sendMessage(message, sending).then(
      (responseStatus) => ({ responseStatus, error: null }),
      (failure: unknown) => ({
        responseStatus: failure instanceof WebhookRefusal ? failure.status : null,
        error: (failure instanceof Error ? failure.message : String(failure)).slice(0, 500),
      }),
    );
    if (result.error === null) return { id: delivery.id, status: 'DELIVERED', ...result, retryMs: null };
    const retryMs = this.#timing.retryWaitsMs[delivery.attempts] ?? null;
    return { id: delivery.id, status: retryMs === null ? 'FAILED' : 'PENDING', ...result, retryMs };
  }
}

/** The body of a message. docs/changes.md shows one. */
function describe(webhook: ClaimedWebhook, delivery: DeliveryRow, change: StoredAuditRecord | null) {
  const { before = null, after = null } = (change?.details ?? {}) as { before?: unknown; after?: unknown };
  return {
    type: delivery.type,
    networkId: String(webhook.network_id),
    environment: webhook.environment,
    webhookId: String(webhook.id),
    sequence: delivery.sequence === null ? null : String(delivery.sequence),
    at: (change?.at ?? delivery.created_at).toISOString(),
    actor: change?.actor ?? null,
    objectKind: change?.objectKind ?? null,
    objectId: change?.objectId ?? null,
    before,
    after,
    ...(change !== null && isTooLong(change.details) ? { isTooLong: true } : {}),
  };
}
