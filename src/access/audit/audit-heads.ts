import type { KeyObject } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Log } from '../../domain/log/log.ts';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { readAuditHeads } from './audit.sql.ts';
import {
  appendHeadLine,
  auditHeadsDir,
  type FileLine,
  hashLegacyLines,
  lastOfChain,
  readHeadFiles,
} from './audit-head-files.ts';
import { type KeptHeadLine, parseHeadLine, type SignedHead, sha256, signHeadLine } from './audit-head-line.ts';
import { insertHeadLine, readHeadLines, readLastHeadLine } from './audit-heads.sql.ts';

/** How often heads are signed while the core runs: a signed head covers every older entry. */
export const SIGN_EVERY_MS = 60_000;
const RESTORE_PAGE_LINES = 1_000;

/** Dependencies of signing. */
export interface AuditHeadDeps {
  readonly sql: Kysely<Database>;
  /** Ed25519, private; see `loadAuditKey`. */
  readonly key: KeyObject;
  readonly log: Log;
  nowMs(): number;
}

/**
 * Signs the ends of all chains: first all of them once a day (UTC), then every minute those that moved. Each line is chained to the one
 * before and stored twice: in the database (append-only) and in the day's file.
 */
export class AuditHeadWriter extends RecurringJob {
  readonly #dir: string;
  readonly #deps: AuditHeadDeps;
  /** The last signed end of each network's chain, in this process. */
  #signed = new Map<string, string>();
  #signedDay = '';
  /** The newest line that this process knows: files and database must not fall behind it. */
  #last: KeptHeadLine | null = null;
  #hasCompared = false;

  constructor(dataDir: string, deps: AuditHeadDeps) {
    super({ firstMs: 0, everyMs: SIGN_EVERY_MS });
    this.#dir = auditHeadsDir(dataDir);
    this.#deps = deps;
  }

  /** Signs the remaining heads and ends. Never throws: it logs heads that could not be signed. */
  override async stop(): Promise<void> {
    await super.stop();
    await this.run().catch((error: unknown) => this.logFailure(error));
  }

  /**
   * Signs the heads that moved since the last time; once a day all of them, even when there are none.
   *
   * @throws when the database or the disk fails, or another process signed at the same moment
   */
  async run(): Promise<void> {
    const { sql, key } = this.#deps;
    await this.#compare();
    const heads = await readSignableHeads(sql);
    const at = new Date(this.#deps.nowMs()).toISOString();
    const day = at.slice(0, 10);
    const isNewDay = day !== this.#signedDay;
    const moved = isNewDay ? heads : heads.filter((head) => this.#signed.get(head.networkId) !== nameOf(head));
    if (moved.length === 0 && !isNewDay) return;
    const last = this.#last;
    const previous = last === null ? hashLegacyLines(readHeadFiles(this.#dir)) : sha256(last.text);
    const line = { version: 2, number: (last?.line.number ?? 0) + 1, at, previous, heads: moved } as const;
    const kept: KeptHeadLine = { text: signHeadLine(key, line), line };
    // The database comes first: it accepts each number once. The next start completes a file that a crash left behind.
    await insertHeadLine(sql, { number: line.number, text: kept.text });
    this.#hasCompared = false;
    await appendHeadLine(this.#dir, kept);
    this.#hasCompared = true;
    this.#last = kept;
    for (const head of moved) this.#signed.set(head.networkId, nameOf(head));
    this.#signedDay = day;
  }

  /**
   * Finds the newest of three lines: this process's, the database's and the files'. Copies lines that the files lack from the database,
   * with a warning. Leaves any other difference for `placard audit verify`: the chain continues after the highest number, so that a cut
   * leaves a gap.
   */
  async #compare(): Promise<void> {
    const { sql, log } = this.#deps;
    const stored = await readLastHeadLine(sql);
    if (this.#hasCompared && stored?.text === this.#last?.text) return;
    const files = readHeadFiles(this.#dir);
    const inFiles = lastOfChain(files);
    if (this.#last === null) this.#recall(files, inFiles);
    const storedLine = stored === null ? null : parseHeadLine(stored.text);
    const inDatabase = stored === null || storedLine === null ? null : { text: stored.text, line: storedLine };
    const newest = [this.#last, inFiles, inDatabase].reduce((a, b) => (numberOf(b) > numberOf(a) ? b : a), null);
    if (numberOf(inDatabase) < numberOf(newest)) {
      const facts = { database: numberOf(inDatabase), expected: numberOf(newest) };
      log.event('audit.heads_missing', facts);
    } else if (numberOf(inFiles) < numberOf(newest)) {
      await this.#restoreFiles(numberOf(inFiles), numberOf(newest));
    }
    this.#last = newest;
    this.#hasCompared = true;
  }

  /** Heads that an earlier process signed today are not signed again. */
  #recall(files: readonly FileLine[], last: KeptHeadLine | null): void {
    if (last === null) return;
    this.#signedDay = last.line.at.slice(0, 10);
    for (const { text } of files) {
      const line = parseHeadLine(text);
      if (line?.at.slice(0, 10) !== this.#signedDay) continue;
      for (const head of line.heads) this.#signed.set(head.networkId, nameOf(head));
    }
  }

  async #restoreFiles(from: number, to: number): Promise<void> {
    const { sql, log } = this.#deps;
    log.event('audit.head_files_restored', { from: from + 1, to });
    for (let above = from; above < to; ) {
      const page = await readHeadLines(sql, above, RESTORE_PAGE_LINES);
      for (const { text } of page) {
        const line = parseHeadLine(text);
        if (line !== null) await appendHeadLine(this.#dir, { text, line });
      }
      above = page.at(-1)?.number ?? to;
    }
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('audit.heads_not_signed', { err: error });
  }
}

async function readSignableHeads(sql: Kysely<Database>): Promise<SignedHead[]> {
  const heads = await readAuditHeads(sql);
  return heads.map(({ networkId, sequence, hash }) => ({
    networkId,
    sequence: String(sequence),
    hash: hash.toString('hex'),
  }));
}

function nameOf({ sequence, hash }: SignedHead): string {
  return `${sequence} ${hash}`;
}

function numberOf(kept: KeptHeadLine | null): number {
  return kept?.line.number ?? 0;
}
