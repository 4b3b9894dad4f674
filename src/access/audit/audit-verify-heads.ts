import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import { auditHeadsDir, type FileLine, hashLegacyLines, readHeadFiles } from './audit-head-files.ts';
import { isChainLine, isSignedBy, parseHeadLine, readLegacyLine, type SignedHead, sha256 } from './audit-head-line.ts';
import { readHeadLines } from './audit-heads.sql.ts';
import type { AuditVerifyKeys } from './audit-key.ts';

/** A head with the instant at which it was signed. */
export interface DatedHead extends SignedHead {
  readonly at: string;
}

/** The result of checking the signed heads. */
export interface HeadsFound {
  /** Every head whose signature is right, of the data folder and of the copy, oldest first. */
  readonly heads: readonly DatedHead[];
  /** Lines of the copy that were compared. */
  readonly copiedLines: number;
  readonly problems: readonly string[];
}

/** Where to look for heads. */
export interface HeadsToVerify {
  readonly dataDir: string;
  readonly keys: AuditVerifyKeys;
  /** A copy of the heads from elsewhere: a folder of day files, or one file. */
  readonly copy?: string;
}

const PAGE_LINES = 1_000;

/**
 * Checks the chain of heads in the files, that the database has the same lines, and that both contain the copy from elsewhere: signatures,
 * numbers without a gap, and each line following from the one before.
 */
export async function verifyHeads(sql: Kysely<Database>, options: HeadsToVerify): Promise<HeadsFound> {
  const { keys, dataDir, copy } = options;
  const live = readChain(readHeadFiles(auditHeadsDir(dataDir)), keys, { isWhole: true, name: 'heads' });
  const problems = [...live.problems, ...(await compareWithDatabase(sql, live.byNumber))];
  if (copy === undefined) return { heads: live.heads, copiedLines: 0, problems };
  const copied = readChain(readHeadFiles(copy), keys, { isWhole: false, name: 'copy' });
  problems.push(...copied.problems, ...compareCopy(copied, live));
  return { heads: [...live.heads, ...copied.heads], copiedLines: copied.lines.size, problems };
}

interface Chain {
  readonly heads: readonly DatedHead[];
  readonly problems: readonly string[];
  /** Texts of the chain's lines, by their numbers. */
  readonly byNumber: ReadonlyMap<number, string>;
  /** Every line whose signature is right, legacy ones included. */
  readonly lines: ReadonlySet<string>;
}

/** `isWhole`: the chain has to begin at its first line, behind the lines of older versions. A copy may begin later. */
function readChain(files: readonly FileLine[], keys: AuditVerifyKeys, as: { isWhole: boolean; name: string }): Chain {
  const heads: DatedHead[] = [];
  const problems: string[] = [];
  const byNumber = new Map<number, string>();
  const lines = new Set<string>();
  let last: { number: number; text: string; at: string } | null = null;
  for (const { location, text } of files) {
    const where = `${as.name}: ${location}`;
    const found = isChainLine(text)
      ? isSignedBy(keys.publicKey, text) && parseHeadLine(text)
      : readLegacyLine(keys, text);
    if (found === false || found === null) {
      const isUnchecked = isChainLine(text) && keys.publicKey === null;
      problems.push(
        `${where}: ${isUnchecked ? 'there is no key to check the signature: name the public key' : 'the signature is wrong'}`,
      );
      continue;
    }
    lines.add(text);
    heads.push(...found.heads.map((head) => ({ ...head, at: found.at })));
    if (!('number' in found)) {
      if (last !== null) problems.push(`${where}: a line of an older version stands behind newer ones`);
      continue;
    }
    const expected: number = last === null ? (as.isWhole ? 1 : found.number) : last.number + 1;
    if (found.number !== expected) {
      problems.push(
        `${where}: has number ${found.number} where ${expected} should be: lines are missing or out of order`,
      );
    } else if (last !== null && found.previous !== sha256(last.text)) {
      problems.push(`${where}: does not follow from the line before`);
    } else if (last === null && as.isWhole && found.previous !== hashLegacyLines(files)) {
      problems.push(`${where}: lines of older versions before it were changed or are missing`);
    }
    if (last !== null && found.at < last.at) problems.push(`${where}: is older than the line before`);
    last = { number: found.number, text, at: found.at };
    byNumber.set(found.number, text);
  }
  return { heads, problems, byNumber, lines };
}

async function compareWithDatabase(sql: Kysely<Database>, files: ReadonlyMap<number, string>): Promise<string[]> {
  const problems: string[] = [];
  let count = 0;
  for (let above = 0; ; ) {
    const page = await readHeadLines(sql, above, PAGE_LINES);
    for (const { number, text } of page) {
      count += 1;
      const inFile = files.get(number);
      if (inFile === undefined) problems.push(`heads: line ${number} of the database is missing from the files`);
      else if (inFile !== text) problems.push(`heads: line ${number} differs between the database and the files`);
    }
    const end = page.at(-1);
    if (end === undefined || page.length < PAGE_LINES) break;
    above = end.number;
  }
  if (count < files.size)
    problems.push(`heads: ${files.size - count} lines of the files are missing from the database`);
  return problems;
}

function compareCopy(copied: Chain, live: Chain): string[] {
  if (copied.lines.size === 0) return ['copy: holds no signed head: name the folder or file that was copied'];
  return [...copied.lines]
    .filter((text) => !live.lines.has(text))
    .map((text) => {
      const line = parseHeadLine(text);
      if (line === null) return 'copy: a line of an older version is missing from the heads of the data folder';
      const now = live.byNumber.get(line.number);
      const what = now === undefined ? 'is missing from' : 'differs from that of';
      return `copy: line ${line.number}, signed at ${line.at}, ${what} the heads of the data folder`;
    });
}
