import type { CliCommand } from './context/cli-context.ts';

/** `placard migrate`: brings both stores to the newest schema, as the core does at every start. */
export const migrateCommand: CliCommand = {
  name: 'migrate',
  register: (program, context) => {
    program
      .command('migrate')
      .description('Bring PostgreSQL and the analytics store to the newest schema (every start does this, too).')
      .action(async (_options, command) => {
        const { migrateStores } = await import('../runtime/compose/migrate-stores.ts');
        const done = await context.withStores({ analytics: true }, (stores) => migrateStores(stores, context.log()));
        const count = done.postgres.length + done.analytics.length;
        context.print(command, done, [
          ...done.postgres.map((name) => `PostgreSQL  ${name}`),
          ...done.analytics.map((name) => `analytics   ${name}`),
          count === 0 ? 'Both stores are up to date.' : `${count} migrations run.`,
        ]);
      });
  },
};
