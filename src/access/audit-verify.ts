import type { Kysely } from 'kysely';
import type { Database } from '../storage/sql/schema.ts';
import { listAuditedNetworks, readAuditForward, readAuditHeads } from './audit.sql.ts';
import { GENESIS_HASH, hashAuditRecord } from './audit-chain.ts';
import { readSignedHeads, type SignedHead } from './audit-heads.ts';

const PAGE_ENTRIES = 1_000;
/** Problems that are listed; one forged entry breaks everything after it. */
const PROBLEMS_MAX = 100;

/** What the check of the audit log found. */
export interface AuditVerification {
  readonly networks: readonly { readonly networkId: string; readonly entries: number }[];
  /** Heads that were signed outside of the database and checked against it. */
  readonly signedHeads: number;
  /** Empty when nothing was changed, removed, inserted or rolled back. At most 100. */
  readonly problems: readonly string[];
}

/** Whose logs to check. */
export interface AuditVerifyOptions {
  readonly dataDir: string;
  /** Signs the heads on disk. */
  readonly secret: Buffer;
  /** Absent: every network, and the installation's own log. */
  readonly networkId?: string;
}

/**
 * Walks every network's chain, or one network's, from its first entry: numbers without a gap, hashes that follow from one another, the end that
 * `audit_heads` names, and each head that was signed on disk (which also shows a chain that was rewritten or cut as a whole).
 */
export async function verifyAudit(sql: Kysely<Database>, options: AuditVerifyOptions): Promise<AuditVerification> {
  const signed = readSignedHeads(options.dataDir, options.secret);
  const problems = [...signed.problems];
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
  }
  return { networks, signedHeads: signed.heads.length, problems: problems.slice(0, PROBLEMS_MAX) };
}

interface ChainEnd {
  readonly sequence: bigint;
  readonly hash: Buffer;
}

async function walkChain(
  sql: Kysely<Database>,
  networkId: string,
  { expected, problems }: { expected: readonly (SignedHead & { at: string })[]; problems: string[] },
): Promise<ChainEnd> {
  const awaited = new Map(expected.map((head) => [head.sequence, head]));
  let end: ChainEnd = { sequence: 0n, hash: GENESIS_HASH };
  for (;;) {
    const page = await readAuditForward(sql, networkId, end.sequence, PAGE_ENTRIES);
    for (const record of page) {
      const name = `network ${networkId}, entry ${record.sequence}`;
      if (record.sequence !== end.sequence + 1n) problems.push(`${name}: entries before it are missing`);
      if (!record.previousHash.equals(end.hash)) problems.push(`${name}: does not follow from the entry before it`);
      if (!hashAuditRecord(record.previousHash, record).equals(record.hash)) problems.push(`${name}: was changed`);
      const head = awaited.get(String(record.sequence));
      if (head !== undefined && head.hash !== record.hash.toString('hex')) {
        problems.push(`${name}: is not the one that was signed at ${head.at}`);
      }
      awaited.delete(String(record.sequence));
      end = { sequence: record.sequence, hash: record.hash };
    }
    if (page.length < PAGE_ENTRIES) break;
  }
  for (const head of awaited.values()) {
    if (head.sequence !== '0')
      problems.push(`network ${networkId}: entry ${head.sequence}, signed at ${head.at}, is gone`);
  }
  return end;
}
