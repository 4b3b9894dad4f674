import { createHmac } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../storage/sql/schema.ts';
import { readAuditHeads } from './audit.sql.ts';
import { isSameDigest } from './secret-text.ts';

/** How often new heads are written down. */
const WRITE_EVERY_MS = 3_600_000;
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

/** Writes the chain's ends to a file of the day (UTC), outside of the database: at start, then every hour when there is news. */
export class AuditHeadWriter {
  readonly #dir: string;
  readonly #deps: { sql: Kysely<Database>; secret: Buffer; log: Logger; nowMs(): number };
  #timer: NodeJS.Timeout | null = null;
  #last = '';
  #lastDay = '';

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
    await this.#tryWrite();
  }

  /** Appends the present heads, when they are new or the first of the day. @throws when the database or the disk fails */
  async write(): Promise<void> {
    const heads = (await readAuditHeads(this.#deps.sql)).map(({ networkId, sequence, hash }) => ({
      networkId,
      sequence: String(sequence),
      hash: hash.toString('hex'),
    }));
    const at = new Date(this.#deps.nowMs()).toISOString();
    const day = at.slice(0, 10);
    const content = JSON.stringify(heads);
    if (content === this.#last && day === this.#lastDay) return;
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    const line: HeadLine = { at, heads, signature: sign(this.#deps.secret, at, heads) };
    const file = await open(join(this.#dir, `${day}.ndjson`), 'a', 0o600);
    try {
      await file.appendFile(`${JSON.stringify(line)}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
    this.#last = content;
    this.#lastDay = day;
  }

  async #tryWrite(): Promise<void> {
    try {
      await this.write();
    } catch (error) {
      this.#deps.log.warn(
        { err: error },
        'the heads of the audit log could not be written down; the next try is in an hour',
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
