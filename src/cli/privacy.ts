import type { Command } from 'commander';
import type { ErasedUser, ErasureStores } from '../events/retention/user-erasure.ts';
import { USER_ID_KINDS, type UserIdKind } from '../domain/ids/user-hash.ts';
import { ENVIRONMENTS } from '../domain/tenancy/workspace.ts';
import { operator } from './access-session.ts';
import { type CliCommand, type CliContext, formatTable, UsageError } from './context/cli-context.ts';

interface EraseOptions {
  readonly network: string;
  readonly lu?: string;
  readonly aid?: string;
  readonly hh?: string;
}

/** `placard privacy`: retention and erasure of users' data. */
export const privacyCommand: CliCommand = {
  name: 'privacy',
  register: (program, context) => {
    const privacy = program.command('privacy').description('Forget a reader.');
    privacy
      .command('erase')
      .description('Erase a user from every store of a network, in both environments. Repeating it is safe.')
      .requiredOption('-n, --network <id>', 'id of the network')
      .option('--lu <id>', 'the user id as pages send it in ids.lu (or as the cookie of the bid endpoint holds it)')
      .option('--aid <id>', 'the account id as pages send it in ids.aid')
      .option('--hh <id>', 'the id of the household as pages send it in ids.hh')
      .action(async (options: EraseOptions, command: Command) => {
        const ids = USER_ID_KINDS.flatMap((kind) => {
          const id = options[kind];
          return id === undefined || id === '' ? [] : [{ kind, id }];
        });
        if (ids.length === 0) throw new UsageError('Say whom: --lu <id>, --aid <id>, --hh <id>, or several.');
        const rows = await eraseEverywhere(context, options.network, ids);
        const isExported = context.settings().exportDir !== null || context.settings().exportS3Url !== null;
        context.print(command, rows, [
          ...formatTable([
            ['ENVIRONMENT', 'ID', 'CAPS', 'SEGMENTS', 'TOUCHES', 'INTERVALS', 'EVENTS', 'FILES', 'SAMPLES'],
            ...rows.map(({ environment, idKind, ...erased }) => [
              environment,
              idKind,
              String(erased.frequencyCounters),
              String(erased.segmentLists),
              String(erased.touchLists),
              String(erased.activityIntervals),
              String(erased.events),
              String(erased.exportedFiles),
              String(erased.forecastSamples),
            ]),
          ]),
          'Events stay as counted, without user, order reference and products.',
          'What was on its way is found by a second run, a minute later; samples, which workers hold for up to an hour,',
          'by one that is 65 minutes later.',
          ...(isExported ? EXPORT_LINES : []),
        ]);
      });
  },
};

const EXPORT_LINES = [
  'Exported files that held the user were written again. Rewrite yourself: copies that you loaded elsewhere, and files whose events',
  'the analytics store no longer has (older than retentionDays).',
];

interface ErasedRow extends ErasedUser {
  readonly environment: string;
  readonly idKind: string;
  /** Sampled requests for forecasts. */
  readonly forecastSamples: number;
}

async function eraseEverywhere(
  context: CliContext,
  networkId: string,
  ids: readonly { readonly kind: UserIdKind; readonly id: string }[],
): Promise<ErasedRow[]> {
  const { requireWorkspaceId } = await import('../access/permissions/workspaces.sql.ts');
  const { recordAudit } = await import('../access/audit/audit.sql.ts');
  const { inTransaction } = await import('../access/audit/transaction.sql.ts');
  const { hashUser } = await import('../domain/ids/user-hash.ts');
  const { eraseUserSamples } = await import('../delivery/traffic/opportunity-sample.olap.ts');
  const { eraseUser } = await import('../events/retention/user-erasure.ts');
  const { loadSecrets } = await import('../storage/secrets.ts');
  return withErasureStores(context, async (stores) => {
    const { userHashSecret } = loadSecrets(context.settings().dataDir);
    const rows: ErasedRow[] = [];
    for (const environment of ENVIRONMENTS) {
      const workspaceId = await requireWorkspaceId(stores.sql, networkId, environment);
      for (const { kind, id } of ids) {
        const userHash = hashUser(userHashSecret, workspaceId, kind, id);
        const forecastSamples = await eraseUserSamples(stores.olap, workspaceId, userHash);
        const erased = { ...(await eraseUser(stores, workspaceId, userHash)), forecastSamples };
        rows.push({ environment, idKind: kind, ...erased });
        // The user is not recorded: that would retain the data to erase.
        const by = { ...operator(), networkId, workspaceId };
        const entry = { by, action: 'reader.erase', objectKind: 'reader', objectId: kind, after: erased };
        await inTransaction(stores.sql, (trx) => recordAudit(trx, entry));
      }
    }
    return rows;
  });
}

async function withErasureStores<T>(context: CliContext, work: (stores: ErasureStores) => Promise<T>): Promise<T> {
  const { borrowHotStore } = await import('../runtime/hot-store/borrow-hot-store.ts');
  const { openOlap } = await import('../storage/olap/clickhouse.ts');
  const { openPostgres } = await import('../storage/sql/postgres.ts');
  const { EventExport } = await import('../events/export/event-export.ts');
  const { openExportTarget } = await import('../runtime/compose/event-export.ts');
  const { dataDir } = context.settings();
  const target = openExportTarget(context.settings(), 'events');
  const log = context.log();
  return context.withStores({ analytics: true }, async ({ postgresUrl, clickhouseUrl, redisUrl }) => {
    if (clickhouseUrl === null) throw new Error('The analytics store was not started');
    const { hot, close } = await borrowHotStore({ dataDir, log }, redisUrl);
    const sql = openPostgres({ url: postgresUrl, log, poolMax: 2, statementTimeoutMs: 60_000 });
    const olap = openOlap({ url: clickhouseUrl, log });
    try {
      const exported =
        target === null
          ? null
          : new EventExport({ sql: sql.db, olap, target, completeUntil: () => Promise.resolve(null) });
      return await work({ sql: sql.db, olap, hot, exported });
    } finally {
      await close();
      await olap.close();
      await sql.close();
    }
  });
}
