import type { Command } from 'commander';
import type { CliCommand } from '../context/cli-context.ts';

/** `placard release`: a restored copy replaces the first installation. */
export const releaseCommand: CliCommand = {
  name: 'release',
  register: (program, context) => {
    program
      .command('release')
      .description('Let the webhooks, mails, reports and exports of a restored installation run.')
      .action(async (_options, command: Command) => {
        const [{ endPauseOfRestore }, { openPostgres }] = await Promise.all([
          import('../../cluster/job-leases.sql.ts'),
          import('../../storage/sql/postgres.ts'),
        ]);
        const released = await context.withStores({ analytics: false }, async ({ postgresUrl }) => {
          const sql = openPostgres({ url: postgresUrl, log: context.log(), poolMax: 1, statementTimeoutMs: 60_000 });
          try {
            return await endPauseOfRestore(sql.db);
          } finally {
            await sql.close();
          }
        });
        context.print(command, { released }, [
          released
            ? 'Released: webhooks, mails, reports and exports run within seconds. The first installation must not run any more.'
            : 'Nothing waited: this installation was not restored, or was released before.',
        ]);
      });
  },
};
