import { type Command, InvalidArgumentError } from 'commander';
import type { AuditFilter } from '../access/audit/audit.sql.ts';
import { type AccessSession, withAccess } from './access-session.ts';
import { type CliCommand, type CliContext, formatTable } from './context/cli-context.ts';

interface ListOptions {
  readonly network: string;
  readonly limit: number;
  readonly actor?: string;
  readonly action?: string;
}

/** `placard audit`: who did what. */
export const auditCommand: CliCommand = {
  name: 'audit',
  register: (program, context) => {
    const audit = program.command('audit').description('Read the audit log, and check that nobody changed it.');
    registerVerify(audit, context);
    registerList(audit, context);
  },
};

interface VerifyOptions {
  readonly heads?: string;
  readonly publicKey?: string;
}

function registerVerify(audit: Command, context: CliContext): void {
  audit
    .command('verify')
    .description(
      'Check every entry against its hash chain and against the signed heads; exit code 1 if anything is wrong.',
    )
    .option('--heads <copy>', 'also check a copy of <data>/audit/heads that was kept elsewhere: a folder or a file')
    .option('--public-key <file>', 'check signatures with this copy of <data>/audit/public-key.pem')
    .action(async ({ heads, publicKey }: VerifyOptions, command: Command) => {
      const { verifyAudit } = await import('../access/audit/audit-verify.ts');
      const { loadAuditVerifyKeys } = await import('../access/audit/audit-key.ts');
      const check = ({ sql, dataDir }: AccessSession) =>
        verifyAudit(sql, {
          dataDir,
          keys: loadAuditVerifyKeys(dataDir, publicKey),
          nowMs: Date.now(),
          ...(heads === undefined ? {} : { copy: heads }),
        });
      // To sign first would cover what the check is to find.
      const found = await withAccess(context, check, { signs: false });
      const entries = found.networks.reduce((sum, network) => sum + network.entries, 0);
      const copied = heads === undefined ? '' : `, ${found.copiedLines} lines of the copy`;
      const open = found.uncoveredEntries === 0 ? '' : ` (${found.uncoveredEntries} entries not signed yet)`;
      const summary = `${entries} entries of ${found.networks.length} logs, ${found.signedHeads} signed heads${copied}${open}: `;
      const lines =
        found.problems.length === 0
          ? [`${summary}nothing was changed.`]
          : [`${summary}problems found.`, ...found.problems];
      context.print(command, found, lines);
      if (found.problems.length > 0) process.exitCode = 1;
    });
}

function registerList(audit: Command, context: CliContext): void {
  audit
    .command('list')
    .description('Show the newest entries of a network.')
    .option('-n, --network <id>', 'the network; 0 is the installation itself', parseNetwork, '0')
    .option('--actor <text>', 'only of this actor')
    .option('--action <text>', 'only this action, such as apiKey.create')
    .option('--limit <count>', 'how many, 1 to 1000', parseLimit, 50)
    .action(async (options: ListOptions, command: Command) => {
      const { listAudit } = await import('../access/audit/audit.sql.ts');
      const { actor, action, limit, network } = options;
      const filter: AuditFilter = {
        ...(actor === undefined ? {} : { actor }),
        ...(action === undefined ? {} : { action }),
      };
      const entries = await withAccess(context, ({ sql }) =>
        listAudit(sql, network, filter, { beforeSequence: null, limit }),
      );
      const values = entries.map(({ previousHash, hash, exactAt: _exact, ...entry }) => ({
        ...entry,
        previousHash: previousHash.toString('hex'),
        hash: hash.toString('hex'),
      }));
      const rows = entries.map((entry) => [
        String(entry.sequence),
        entry.at.toISOString(),
        entry.actor,
        entry.remoteAddress || '-',
        entry.action,
        `${entry.objectKind} ${entry.objectId}`,
      ]);
      context.print(command, values, formatTable([['NO', 'AT', 'ACTOR', 'FROM', 'ACTION', 'OBJECT'], ...rows]));
    });
}

function parseNetwork(text: string): string {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError('Write the id of a network.');
  return text;
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000)
    throw new InvalidArgumentError('Write a whole number, 1 to 1000.');
  return limit;
}
