import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import { listAuditedNetworks, readAuditForward, readAuditHeads, readUncovered } from './audit.sql.ts';
import { GENESIS_HASH, hashAuditRecord } from './audit-chain.ts';
import { SIGN_EVERY_MS } from './audit-heads.ts';
import { type DatedHead, type HeadsToVerify, verifyHeads } from './audit-verify-heads.ts';

const PAGE_ENTRIES = 1_000;
/** Most problems in a result; one forged entry breaks everything after it. */
const PROBLEMS_MAX = 100;
/** Entries older than this must be covered by a signed head: five rounds, so that a slow or failed one raises no alarm. */
const UNCOVERED_MS_MAX = 5 * SIGN_EVERY_MS;

/** A log that was changed shows it at each look. Heads that are being signed, in the file and then in the database, are whole at the next. */
const LOOKS_MAX = 3;

/** The result of checking the audit log. */
export interface AuditVerification {
  readonly networks: readonly { readonly networkId: string; readonly entries: number }[];
  /** Heads that were signed outside of the database and checked against it. */
  readonly signedHeads: number;
  /** Compared lines of the copy from elsewhere; 0 without one. */
  readonly copiedLines: number;
  /** Entries so new that no signed head covers them yet. */
  readonly uncoveredEntries: number;
  /** Empty when nothing was changed, removed, inserted or rolled back. At most 100. */
  readonly problems: readonly string[];
}

/** Whose logs to check. */
export interface AuditVerifyOptions extends HeadsToVerify {
  readonly nowMs: number;
  /** Absent: every network, and the installation's own log. */
  readonly networkId?: string;
}

/**
 * Walks every network's chain, or one network's, from its first entry: numbers without a gap, hashes that follow from one another, the end that
 * `audit_heads` names, and each signed head (which also shows a chain that was rewritten or cut as a whole). The signed heads are
 * checked first, as a chain of their own; an entry older than five minutes that none of them covers is a problem.
 */
export async function verifyAudit(sql: Kysely<Database>, options: AuditVerifyOptions): Promise<AuditVerification> {
  for (let look = 1; ; look += 1) {
    const found = await sql
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((trx) => verifyOnce(trx, options));
    if (found.problems.length === 0 || look === LOOKS_MAX) return found;
  }
}

/** @param sql sees one moment: an entry that comes meanwhile would be behind the head that was read before it */
async function verifyOnce(sql: Kysely<Database>, options: AuditVerifyOptions): Promise<AuditVerification> {
  const signed = await verifyHeads(sql, options);
  const problems = [...signed.problems];
  let uncoveredEntries = 0;
  const heads = new Map((await readAuditHeads(sql)).map((head) => [head.networkId, head]));
  const ids =
    options.networkId === undefined
      ? new Set([...(await listAuditedNetworks(sql)), ...heads.keys(), ...signed.heads.map((head) => head.networkId)])
      : new Set([options.networkId]);
  const networks: { networkId: string; entries: number }[] = [];
  for (const networkId of [...ids].sort((a, b) => Number(a) - Number(b))) {
    const expected = signed.heads.filter((head) => head.networkId === networkId);
    const end = await walkChain(sql, networkId, { expected, problems });
    networks.push({ networkId, entries: Number(end.sequence) });
    const head = heads.get(networkId);
    if (head === undefined || head.sequence !== end.sequence || !head.hash.equals(end.hash)) {
      problems.push(`network ${networkId}: the log ends at entry ${end.sequence}, which is not where its head says`);
    }
    const covered = expected.reduce((max, { sequence }) => (BigInt(sequence) > max ? BigInt(sequence) : max), 0n);
    const { entries, oldestMs, newestMs } = await readUncovered(sql, networkId, covered);
    uncoveredEntries += entries;
    if (entries > 0 && options.nowMs - oldestMs > UNCOVERED_MS_MAX) {
      problems.push(
        `network ${networkId}: ${entries} entries above ${covered} are covered by no signed head: heads are missing, or the core has not run since`,
      );
    }
    if (newestMs - options.nowMs > UNCOVERED_MS_MAX) {
      problems.push(`network ${networkId}: entries above ${covered} bear an instant that lies ahead`);
    }
  }
  return {
    networks,
    signedHeads: signed.heads.length,
    copiedLines: signed.copiedLines,
    uncoveredEntries,
    problems: problems.slice(0, PROBLEMS_MAX),
  };
}

interface ChainEnd {
  readonly sequence: bigint;
  readonly hash: Buffer;
}

async function walkChain(
  sql: Kysely<Database>,
  networkId: string,
  { expected, problems }: { expected: readonly DatedHead[]; problems: string[] },
): Promise<ChainEnd> {
  const awaited = Map.groupBy(expected, (head) => head.sequence);
  let end: ChainEnd = { sequence: 0n, hash: GENESIS_HASH };
  for (;;) {
    const page = await readAuditForward(sql, networkId, end.sequence, PAGE_ENTRIES);
    for (const record of page) {
      const name = `network ${networkId}, entry ${record.sequence}`;
      if (record.sequence !== end.sequence + 1n) problems.push(`${name}: entries before it are missing`);
      if (!record.previousHash.equals(end.hash)) problems.push(`${name}: does not follow from the entry before it`);
      if (!hashAuditRecord(record.previousHash, record).equals(record.hash)) problems.push(`${name}: was changed`);
      const hash = record.hash.toString('hex');
      const other = awaited.get(String(record.sequence))?.find((head) => head.hash !== hash);
      if (other !== undefined) problems.push(`${name}: is not the one that was signed at ${other.at}`);
      awaited.delete(String(record.sequence));
      end = { sequence: record.sequence, hash: record.hash };
    }
    if (page.length < PAGE_ENTRIES) break;
  }
  for (const [sequence, [head]] of awaited) {
    if (sequence !== '0') problems.push(`network ${networkId}: entry ${sequence}, signed at ${head?.at}, is gone`);
  }
  return end;
}
