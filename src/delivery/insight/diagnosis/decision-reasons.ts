import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../../domain/log/log.ts';
import { newUlid } from '../../../domain/ids/ids.ts';
import type { Olap } from '../../../storage/olap/olap.ts';
import type { Decision } from '../../decision/decision.ts';
import type { RecentChanges } from '../../decision/index/recent-changes.ts';
import { DECISION_REASON_COLUMNS, DECISION_REASONS_TABLE } from './decision-reasons.olap.ts';
import type { DecisionReasonRow } from './decision-reasons.olap.ts';
import { ALL_LINE_ITEMS, WON, writeOutcome } from './outcomes.ts';

const FLUSH_MS = 10_000;
const HOUR_MS = 3_600_000;
/** Most sums in memory; further ones are left out until they are flushed. */
const SUMS_MAX = 200_000;
/** Sums that are written without a break. */
const SUMS_AT_ONCE = 128;
/**
 * Explaining checks every line item while requests wait: in the long run it may take this share of a worker's time. What was saved may be
 * used at once, so that a new line item is diagnosed from many requests soon.
 */
const TIME_SHARE = 1 / 500;
const SAVED_MS_MAX = 1_000;
/** The same for all workspaces of a worker together. */
const ALL_TIME_SHARE = 1 / 100;
const ALL_SAVED_MS_MAX = 4_000;
/** The longest pause after a decision that took long to explain, in saved milliseconds: one minute. */
const DEBT_MS_MAX = 60_000 * TIME_SHARE;
/**
 * About what explaining takes for each line item, until it was measured, in milliseconds. Above so many line items the first decision after a
 * start is not explained at once, and nothing is saved: the first requests would wait for it, while everything else is cold, too.
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
  /** The CPU time that this thread has used, in milliseconds. Default: the system's count. */
  readonly cpuMs?: () => number;
}

/**
 * Counts why line items win and lose, from a sample: now and then a decision is explained and represents all of its workspace since the
 * last one. Sampling slows down when explaining takes long. Sums go to the analytics store every ten seconds; those of a killed worker are
 * lost.
 */
export class DecisionReasons {
  readonly #deps: DecisionReasonsDeps;
  readonly #workspaces = new Map<number, Allowance>();
  readonly #all: Allowance = { skipped: 0, savedMs: ALL_SAVED_MS_MAX, atMs: 0 };
  #sums = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #isFlushing = false;

  constructor(deps: DecisionReasonsDeps) {
    this.#deps = deps;
  }

  start(): void {
    if (this.#deps.olap !== null) this.#timer = setInterval(() => void this.#flushInTurn(), FLUSH_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.flush();
  }

  /** Whether to explain this decision. Call it once for each decision. @param lineItems how many the workspace has */
  shouldExplain(workspaceId: number, nowMs: number, lineItems: number): boolean {
    if (this.#deps.olap === null) return false;
    const isLarge = lineItems > LINE_ITEMS_AT_ONCE;
    const savedMsMax = isLarge ? 0 : SAVED_MS_MAX;
    let state = this.#workspaces.get(workspaceId);
    if (state === undefined) {
      if (this.#workspaces.size >= WORKSPACES_MAX) this.#workspaces.clear();
      const savedMs = isLarge ? -Math.min(DEBT_MS_MAX, lineItems * MS_PER_LINE_ITEM) : SAVED_MS_MAX;
      state = { skipped: 0, savedMs, atMs: nowMs };
      this.#workspaces.set(workspaceId, state);
    }
    state.skipped += 1;
    save(state, nowMs, { share: TIME_SHARE, most: savedMsMax });
    save(this.#all, nowMs, { share: ALL_TIME_SHARE, most: ALL_SAVED_MS_MAX });
    return state.savedMs >= 0 && this.#all.savedMs >= 0;
  }

  /** Adds an explained decision. */
  record(workspaceId: number, decision: Decision, { nowMs, tookMs, changes }: Explained): void {
    const state = this.#workspaces.get(workspaceId);
    if (state === undefined) return;
    const weight = state.skipped;
    state.skipped = 0;
    const { cpuMs = threadCpuMs } = this.#deps;
    const startedMs = cpuMs();
    // Several decisions that wait for a store may end together: the first one represents them all.
    if (weight > 0) {
      const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
      const unchanged = formatSecond(hourMs);
      for (const { lineItemId, outcome } of outcomesOf(decision)) {
        const changedAtMs = changes.find(lineItemId) ?? 0;
        const hour = changedAtMs <= hourMs ? unchanged : formatSecond(Math.ceil(changedAtMs / 1_000) * 1_000);
        this.#add({ workspaceId, lineItemId, hour, outcome, weight });
      }
    }
    const allMs = tookMs + cpuMs() - startedMs;
    state.savedMs = Math.max(-DEBT_MS_MAX, state.savedMs - allMs);
    this.#all.savedMs = Math.max(-DEBT_MS_MAX, this.#all.savedMs - allMs);
  }

  /** Counts a request that no line item of a workspace could serve, for a reason of the request. */
  recordAll(workspaceId: number, test: string, nowMs: number): void {
    if (this.#deps.olap === null) return;
    this.#add({ workspaceId, lineItemId: ALL_LINE_ITEMS, hour: formatHour(nowMs), outcome: test, weight: 1 });
  }

  #add(one: { workspaceId: number; lineItemId: string; hour: string; outcome: string; weight: number }): void {
    const key = `${one.workspaceId}\n${one.lineItemId}\n${one.hour}\n${one.outcome}`;
    const sum = this.#sums.get(key);
    if (sum !== undefined || this.#sums.size < SUMS_MAX) this.#sums.set(key, (sum ?? 0) + one.weight);
  }

  /** While the store does not respond, sums of several turns are sent together. */
  async #flushInTurn(): Promise<void> {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    await this.flush();
    this.#isFlushing = false;
  }

  /**
   * Sends the sums, written in slices: thousands of sums would hold requests up for a tenth of a second. Those that cannot be sent are retained
   * for the next time, as long as there is space. Never rejects.
   */
  async flush(): Promise<void> {
    const { olap, log, nowMs } = this.#deps;
    if (this.#sums.size === 0 || olap === null) return;
    const sent = this.#sums;
    this.#sums = new Map();
    try {
      const body = Buffer.concat(await writeSums(sent));
      const token = `reasons-${newUlid(nowMs())}`;
      await olap.insertRaw({ table: DECISION_REASONS_TABLE, columns: DECISION_REASON_COLUMNS, body, token });
    } catch (error) {
      log.event('insight.reasons_waiting', { err: error, sums: sent.size });
      await this.#addAgain(sent);
    }
  }

  async #addAgain(sums: ReadonlyMap<string, number>): Promise<void> {
    let done = 0;
    for (const [key, quantity] of sums) {
      const sum = this.#sums.get(key);
      if (sum !== undefined || this.#sums.size < SUMS_MAX) this.#sums.set(key, (sum ?? 0) + quantity);
      done += 1;
      if (done % SUMS_AT_ONCE === 0) await nextTurn();
    }
  }
}

/** Rows of the table, as lines of JSON. */
async function writeSums(sums: ReadonlyMap<string, number>): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let lines: string[] = [];
  for (const [key, quantity] of sums) {
    lines.push(`${JSON.stringify(toDecisionReason(key, quantity))}\n`);
    if (lines.length < SUMS_AT_ONCE) continue;
    pieces.push(Buffer.from(lines.join('')));
    lines = [];
    await nextTurn();
  }
  pieces.push(Buffer.from(lines.join('')));
  return pieces;
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** How each line item fared in an explained decision. */
export function* outcomesOf({
  placements,
  losers,
}: Decision): Generator<{ readonly lineItemId: string; readonly outcome: string }> {
  const winners = new Set<string>();
  for (const placement of placements) {
    if (placement === null) continue;
    winners.add(placement.lineItem.booked.id);
    yield { lineItemId: placement.lineItem.booked.id, outcome: WON };
  }
  for (const { lineItemId, failed, winnerId } of losers) {
    // A line item that has a slot of the response is not kept out of the others.
    if (winners.has(lineItemId) && failed.some((test) => test.startsWith('exclusion.'))) continue;
    yield { lineItemId, outcome: writeOutcome(failed, winnerId) };
  }
}

/** How a decision was explained. */
export interface Explained {
  readonly nowMs: number;
  /** The CPU time that explaining took; recording adds its own. */
  readonly tookMs: number;
  /** The changes of the workspace that it was made with. */
  readonly changes: Pick<RecentChanges, 'find'>;
}

/** What explaining in one workspace may take. */
interface Allowance {
  /** Decisions since the last one that was explained. */
  skipped: number;
  /** Milliseconds that explaining may take now; negative: a decision took more than was saved. */
  savedMs: number;
  atMs: number;
}

function save(allowance: Allowance, nowMs: number, { share, most }: { share: number; most: number }): void {
  const passedMs = Math.max(0, nowMs - allowance.atMs);
  allowance.savedMs = Math.min(most, allowance.savedMs + passedMs * share);
  allowance.atMs = Math.max(allowance.atMs, nowMs);
}

function toDecisionReason(key: string, quantity: number): DecisionReasonRow {
  const [workspaceId = '', lineItemId = '', hour = '', reason = ''] = key.split('\n');
  return { workspace_id: Number(workspaceId), line_item_id: lineItemId, hour, reason, quantity };
}

/** The beginning of an hour as the table of reasons writes it. */
export function formatHour(nowMs: number): string {
  return formatSecond(Math.floor(nowMs / HOUR_MS) * HOUR_MS);
}

/** A second in the same form: a change in this hour begins one, so that a diagnosis can leave out earlier outcomes. */
function formatSecond(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');
}
