import { createHmac } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../storage/sql/schema.ts';
import { readAuditHeads } from './audit.sql.ts';
import { isSameDigest } from './secret-text.ts';

/** How often new heads are written down: what is cut off the end of a log shows unless it is younger. */
const WRITE_EVERY_MS = 60_000;
const FILE_NAME = /^\d{4}-\d{2}-\d{2}\.ndjson$/;

/** The end of one network's chain, as it was at an instant. `hash` is hex. */
export interface SignedHead {
  readonly networkId: string;
  readonly sequence: string;
  readonly hash: string;
}

/** One line of a day's file: the heads at an instant, signed with the installation's audit secret. */
interface HeadLine {
  readonly at: string;
  readonly heads: readonly SignedHead[];
  readonly signature: string;
}

/** Where the signed heads of a data folder are. Copy it elsewhere to be safe from whoever holds this machine. */
export function auditHeadsDir(dataDir: string): string {
  return join(dataDir, 'audit', 'heads');
}

/**
 * Writes the chain's ends to a file of the day (UTC), outside of the database: all of them at start and first thing
 * in the day, then every minute those that moved.
 */
export class AuditHeadWriter {
  readonly #dir: string;
  readonly #deps: { sql: Kysely<Database>; secret: Buffer; log: Logger; nowMs(): number };
  #timer: NodeJS.Timeout | null = null;
  /** What this process wrote down last, by network. */
  #last = new Map<string, string>();
  #lastDay = '';
  #writing: Promise<void> | null = null;

  constructor(dataDir: string, deps: { sql: Kysely<Database>; secret: Buffer; log: Logger; nowMs(): number }) {
    this.#dir = auditHeadsDir(dataDir);
    this.#deps = deps;
  }

  start(): void {
    void this.#tryWrite();
    this.#timer = setInterval(() => void this.#tryWrite(), WRITE_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#writing;
    await this.#tryWrite();
  }

  /**
   * Appends the heads that moved since the last time; all of them, at least an empty list, once a day.
   *
   * @throws when the database or the disk fails
   */
  async write(): Promise<void> {
    const heads = (await readAuditHeads(this.#deps.sql)).map(({ networkId, sequence, hash }) => ({
      networkId,
      sequence: String(sequence),
      hash: hash.toString('hex'),
    }));
    const at = new Date(this.#deps.nowMs()).toISOString();
    const day = at.slice(0, 10);
    const moved =
      day === this.#lastDay
        ? heads.filter((head) => this.#last.get(head.networkId) !== `${head.sequence} ${head.hash}`)
        : heads;
    if (moved.length === 0 && day === this.#lastDay) return;
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    const line: HeadLine = { at, heads: moved, signature: sign(this.#deps.secret, at, moved) };
    const file = await open(join(this.#dir, `${day}.ndjson`), 'a', 0o600);
    try {
      await file.appendFile(`${JSON.stringify(line)}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
    for (const head of moved) this.#last.set(head.networkId, `${head.sequence} ${head.hash}`);
    this.#lastDay = day;
  }

  /** One after the other: a slow one is not overtaken. */
  #tryWrite(): Promise<void> {
    this.#writing ??= this.#writeOrWarn().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  async #writeOrWarn(): Promise<void> {
    try {
      await this.write();
    } catch (error) {
      this.#deps.log.warn(
        { err: error },
        'the heads of the audit log could not be written down; the next try is in a minute',
      );
    }
  }
}

/** Every signed head on disk, oldest first, and the lines that are torn or bear a wrong signature. */
export function readSignedHeads(
  dataDir: string,
  secret: Buffer,
): { heads: (SignedHead & { at: string })[]; problems: string[] } {
  const dir = auditHeadsDir(dataDir);
  const heads: (SignedHead & { at: string })[] = [];
  const problems: string[] = [];
  for (const name of listFiles(dir)) {
    const lines = readFileSync(join(dir, name), 'utf8').split('\n');
    for (const [index, text] of lines.entries()) {
      if (text === '') continue;
      const line = readLine(secret, text);
      if (line === null) problems.push(`${name}, line ${index + 1}: the signature is wrong`);
      else for (const head of line.heads) heads.push({ ...head, at: line.at });
    }
  }
  return { heads, problems };
}

function listFiles(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => FILE_NAME.test(name))
      .sort();
  } catch {
    return [];
  }
}

function readLine(secret: Buffer, text: string): HeadLine | null {
  try {
    const line = JSON.parse(text) as HeadLine;
    const expected = Buffer.from(sign(secret, line.at, line.heads), 'hex');
    return isSameDigest(expected, Buffer.from(line.signature, 'hex')) ? line : null;
  } catch {
    return null;
  }
}

function sign(secret: Buffer, at: string, heads: readonly SignedHead[]): string {
  const text = JSON.stringify([at, heads.map(({ networkId, sequence, hash }) => [networkId, sequence, hash])]);
  return createHmac('sha256', secret).update(text).digest('hex');
}
