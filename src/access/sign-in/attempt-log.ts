import type { Log } from '../../domain/log/log.ts';
import type { Principal } from '../../domain/tenancy/principal.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import { AUDIT_BATCH_MAX, type AuditEntry, recordAudit } from '../audit/audit.sql.ts';
import { inTransaction } from '../audit/transaction.sql.ts';
import { writeLastUsed } from '../keys/directory.sql.ts';
import type { Refusal } from '../keys/identify.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** How often new attempts reach the audit log, and last-used instants the listing (K3 allows 60 s). */
const FLUSH_MS = 2_000;
const LAST_USED_FLUSH_MS = 20_000;
/** Most (source, credential) pairs that are listed separately in one minute of failures; the others are summed. */
const FAILURES_MAX = 500;
/** Most invented credentials that are listed separately for one source in one minute, so that guessing does not multiply entries. */
const GUESSES_PER_SOURCE_MAX = 10;
/** Most (principal, source) pairs that are listed separately in one hour. */
const USES_MAX = 10_000;
/** Most entries retained while the database is unavailable. */
const PENDING_MAX = 5_000;
const OTHERS = '(others)';

interface Failures {
  readonly entry: AuditEntry;
  readonly minuteMs: number;
  count: number;
  written: number;
}

interface FailureGroup {
  readonly source: string;
  readonly credential: string;
  readonly networkId: string;
}

/** Dependencies of the attempt log. */
export interface AttemptLogDeps {
  readonly sql: Kysely<Database>;
  readonly log: Log;
  nowMs(): number;
}

/**
 * Authentication attempts on their way to the audit log, and last-used instants on their way to the listing. Nothing is
 * written per request: failures are summed by (source, credential, minute), so that an attack cannot fill the disk; successes
 * are logged once for each (principal, source, hour).
 */
export class AttemptLog {
  readonly #deps: AttemptLogDeps;
  readonly #failures = new Map<string, Failures>();
  /** Guesses listed separately, by minute and source; at most as many as there are failures. */
  readonly #sources = new Map<string, number>();
  #uses = new Set<string>();
  #usesHour = 0;
  #pending: AuditEntry[] = [];
  #usedKeys = new Map<string, { workspaceId: number; atMs: number }>();
  #usedPairs = new Map<string, { workspaceId: number; atMs: number }>();
  #lastUsedFlushMs = 0;
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> | null = null;
  #dropped = 0;

  constructor(deps: AttemptLogDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Writes the remaining entries. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#flushing;
    this.#lastUsedFlushMs = 0;
    await this.flush({ closing: true });
  }

  recordUse(principal: Principal): void {
    const nowMs = this.#deps.nowMs();
    if (principal.kind !== 'session') {
      const used = principal.kind === 'apiKey' ? this.#usedKeys : this.#usedPairs;
      used.set(principal.id, { workspaceId: principal.workspaceId, atMs: nowMs });
    }
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour !== this.#usesHour) {
      this.#usesHour = hour;
      this.#uses = new Set();
    }
    const name = `${principal.kind}:${principal.id}|${principal.remoteAddress}`;
    if (this.#uses.has(name) || this.#uses.size >= USES_MAX) return;
    this.#uses.add(name);
    this.#push({ by: principal, action: 'auth.success', objectKind: principal.kind, objectId: principal.id });
  }

  recordRefusal(refusal: Refusal, remoteAddress: string): void {
    const minuteMs = Math.floor(this.#deps.nowMs() / MINUTE_MS) * MINUTE_MS;
    const exact = { source: remoteAddress, credential: refusal.credential, networkId: refusal.networkId };
    const grouped = this.#groupOf(exact, minuteMs, refusal.reason);
    const { source, credential, networkId } = grouped;
    const name = nameOf(grouped, minuteMs, refusal.reason);
    const known = this.#failures.get(name);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    const tellApart = credential !== OTHERS;
    if (tellApart && networkId === '0')
      this.#sources.set(`${minuteMs}|${source}`, (this.#sources.get(`${minuteMs}|${source}`) ?? 0) + 1);
    const actor = credential === '' ? 'anonymous' : credential;
    const workspaceId = tellApart ? refusal.workspaceId : null;
    const by = { actor, remoteAddress: source, networkId, workspaceId };
    const entry = {
      by,
      action: 'auth.failure',
      objectKind: 'credential',
      objectId: credential,
      more: { reason: refusal.reason },
    };
    this.#failures.set(name, { entry, minuteMs, count: 1, written: 0 });
  }

  /** As exact as the bounds allow: beyond the bound of its source without the credential, beyond that of all sources without either. */
  #groupOf(exact: FailureGroup, minuteMs: number, reason: string): FailureGroup {
    const ofSource = { source: exact.source, credential: OTHERS, networkId: '0' };
    const [isKnown, isSourceKnown] = [exact, ofSource].map((one) => this.#failures.has(nameOf(one, minuteMs, reason)));
    if (isKnown === true) return exact;
    const hasSpace = this.#failures.size < FAILURES_MAX;
    const told = this.#sources.get(`${minuteMs}|${exact.source}`) ?? 0;
    // A credential that was once real (revoked, expired, misplaced) cannot be invented, and its network must see it.
    if (hasSpace && (exact.networkId !== '0' || told < GUESSES_PER_SOURCE_MAX)) return exact;
    return hasSpace || isSourceKnown === true ? ofSource : { source: OTHERS, credential: OTHERS, networkId: '0' };
  }

  /** Writes new entries; retains them for the next time when the database is unavailable. Never rejects. */
  flush(options: { closing?: boolean } = {}): Promise<void> {
    this.#flushing ??= this.#flushOnce(options.closing === true).finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async #flushOnce(closing: boolean): Promise<void> {
    this.#collectFailures(closing);
    try {
      await this.#writeEntries();
      await this.#writeLastUsed();
    } catch (error) {
      this.#deps.log.event('attempts.waiting', { err: error, pending: this.#pending.length });
    }
  }

  async #writeEntries(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending.slice(0, AUDIT_BATCH_MAX / 2);
      const at = new Date(this.#deps.nowMs());
      await inTransaction(this.#deps.sql, (trx) => recordAudit(trx, batch, at));
      this.#pending = this.#pending.slice(batch.length);
    }
    if (this.#dropped === 0) return;
    this.#deps.log.event('attempts.dropped', { dropped: this.#dropped });
    this.#dropped = 0;
  }

  async #writeLastUsed(): Promise<void> {
    const nowMs = this.#deps.nowMs();
    if (nowMs - this.#lastUsedFlushMs < LAST_USED_FLUSH_MS) return;
    const [keys, pairs] = [this.#usedKeys, this.#usedPairs];
    this.#usedKeys = new Map();
    this.#usedPairs = new Map();
    try {
      await writeLastUsed(this.#deps.sql, keys, pairs);
      this.#lastUsedFlushMs = nowMs;
    } catch (error) {
      this.#usedKeys = new Map([...keys, ...this.#usedKeys]);
      this.#usedPairs = new Map([...pairs, ...this.#usedPairs]);
      throw error;
    }
  }

  /** The first failure of a minute is written at once, the number of the others when the minute is over. */
  #collectFailures(closing: boolean): void {
    const thisMinute = Math.floor(this.#deps.nowMs() / MINUTE_MS) * MINUTE_MS;
    for (const [name, failures] of this.#failures) {
      const over = closing || failures.minuteMs < thisMinute;
      const fresh = failures.count - failures.written;
      if (fresh > 0 && (over || failures.written === 0)) {
        const more = { ...failures.entry.more, count: fresh, minute: new Date(failures.minuteMs).toISOString() };
        this.#push({ ...failures.entry, more });
        failures.written = failures.count;
      }
      if (over) this.#failures.delete(name);
    }
    for (const name of this.#sources.keys()) {
      if (closing || Number.parseInt(name, 10) < thisMinute) this.#sources.delete(name);
    }
  }

  #push(entry: AuditEntry): void {
    if (this.#pending.length >= PENDING_MAX) this.#dropped += 1;
    else this.#pending.push(entry);
  }
}

function nameOf({ source, credential, networkId }: FailureGroup, minuteMs: number, reason: string): string {
  return `${minuteMs}|${networkId}|${source}|${credential}|${reason}`;
}
