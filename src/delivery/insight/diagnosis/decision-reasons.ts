import type { Log } from '../../../domain/log/log.ts';
import { newUlid } from '../../../domain/ids/ids.ts';
import type { Olap } from '../../../storage/olap/olap.ts';
import type { Decision } from '../../decision/decision.ts';
import { DECISION_REASON_COLUMNS, DECISION_REASONS_TABLE } from './decision-reasons.olap.ts';
import type { DecisionReasonRow } from './decision-reasons.olap.ts';

const FLUSH_MS = 10_000;
const HOUR_MS = 3_600_000;
/** Most sums in memory; further ones are left out until they are flushed. */
const SUMS_MAX = 200_000;
/** Explaining checks every line item while requests wait: it may take this share of a worker's time, and runs at most this often. */
const TIME_SHARE = 1 / 500;
const EVERY_MS_MIN = 100;
const EVERY_MS_MAX = 60_000;
/**
 * About what explaining takes for each line item, until it was measured, in milliseconds. Above so many line items the first decision after a
 * start is not explained at once: the first requests would wait for it, while everything else is cold, too.
 */
const MS_PER_LINE_ITEM = 0.005;
const LINE_ITEMS_AT_ONCE = 2_000;
/** Most workspaces whose skipped decisions are counted. */
const WORKSPACES_MAX = 10_000;

/** Options of the counts. */
export interface DecisionReasonsDeps {
  /** Null: nothing is sampled. */
  readonly olap: Pick<Olap, 'insertRaw'> | null;
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * Counts why line items win and lose, from a sample: now and then a decision is explained and represents all of its workspace since the
 * last one. Sampling slows down when explaining takes long. Sums go to the analytics store every ten seconds; those of a killed worker are
 * lost.
 */
export class DecisionReasons {
  readonly #deps: DecisionReasonsDeps;
  readonly #workspaces = new Map<number, { skipped: number; nextAtMs: number }>();
  #sums = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(deps: DecisionReasonsDeps) {
    this.#deps = deps;
  }

  start(): void {
    if (this.#deps.olap !== null) this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.flush();
  }

  /** Whether to explain this decision. Call it once for each decision. @param lineItems how many the workspace has */
  shouldExplain(workspaceId: number, nowMs: number, lineItems: number): boolean {
    if (this.#deps.olap === null) return false;
    let state = this.#workspaces.get(workspaceId);
    if (state === undefined) {
      if (this.#workspaces.size >= WORKSPACES_MAX) this.#workspaces.clear();
      const isLarge = lineItems > LINE_ITEMS_AT_ONCE;
      state = { skipped: 0, nextAtMs: isLarge ? nowMs + pauseAfter(lineItems * MS_PER_LINE_ITEM) : 0 };
      this.#workspaces.set(workspaceId, state);
    }
    state.skipped += 1;
    return nowMs >= state.nextAtMs;
  }

  /** Adds an explained decision. @param tookMs how long it took */
  record(workspaceId: number, decision: Decision, nowMs: number, tookMs: number): void {
    const state = this.#workspaces.get(workspaceId);
    if (state === undefined) return;
    const weight = state.skipped;
    state.skipped = 0;
    state.nextAtMs = nowMs + pauseAfter(tookMs);
    const hour = formatHour(nowMs);
    const add = (lineItemId: string, reason: string): void => {
      const key = `${workspaceId}\n${lineItemId}\n${hour}\n${reason}`;
      const sum = this.#sums.get(key);
      if (sum !== undefined || this.#sums.size < SUMS_MAX) this.#sums.set(key, (sum ?? 0) + weight);
    };
    for (const placement of decision.placements) if (placement !== null) add(placement.lineItem.booked.id, 'won');
    for (const { lineItemId, reason } of decision.losers) add(lineItemId, reason);
  }

  /** Sends the sums; those that cannot be sent are retained for the next time, as long as there is space. Never rejects. */
  async flush(): Promise<void> {
    const { olap, log, nowMs } = this.#deps;
    if (this.#sums.size === 0 || olap === null) return;
    const sent = this.#sums;
    this.#sums = new Map();
    const lines = [...sent].map(([key, quantity]) => JSON.stringify(toDecisionReason(key, quantity)));
    try {
      const body = Buffer.from(`${lines.join('\n')}\n`);
      const token = `reasons-${newUlid(nowMs())}`;
      await olap.insertRaw({ table: DECISION_REASONS_TABLE, columns: DECISION_REASON_COLUMNS, body, token });
    } catch (error) {
      log.event('insight.reasons_waiting', { err: error, sums: sent.size });
      for (const [key, quantity] of sent) {
        const sum = this.#sums.get(key);
        if (sum !== undefined || this.#sums.size < SUMS_MAX) this.#sums.set(key, (sum ?? 0) + quantity);
      }
    }
  }
}

/** How long until the next decision is explained, when one takes so long. Milliseconds. */
function pauseAfter(tookMs: number): number {
  return Math.min(EVERY_MS_MAX, Math.max(EVERY_MS_MIN, tookMs / TIME_SHARE));
}

function toDecisionReason(key: string, quantity: number): DecisionReasonRow {
  const [workspaceId = '', lineItemId = '', hour = '', reason = ''] = key.split('\n');
  return { workspace_id: Number(workspaceId), line_item_id: lineItemId, hour, reason, quantity };
}

function formatHour(nowMs: number): string {
  return new Date(Math.floor(nowMs / HOUR_MS) * HOUR_MS).toISOString().slice(0, 19).replace('T', ' ');
}
