import type { Command } from 'commander';
import { operator, showInstant, withAccess } from './access-session.ts';
import { type CliCommand, type CliContext, formatTable } from './cli-context.ts';

interface CreateOptions {
  readonly name: string;
  readonly id?: string;
  readonly timezone: string;
  readonly currency: string;
}

/** `placard networks`: the tenants of this installation. */
export const networksCommand: CliCommand = {
  name: 'networks',
  register: (program, context) => {
    const networks = program.command('networks').description('Create and list networks (tenants), and suspend them.');
    registerCreate(networks, context);
    registerStatus(networks, context);
    registerList(networks, context);
  },
};

function registerCreate(networks: Command, context: CliContext): void {
  networks
    .command('create')
    .description('Create a network with its production and its staging workspace.')
    .requiredOption('--name <text>', 'name of the publisher')
    .option('--id <number>', 'its id (default: the next free one from 1001 on)')
    .option('--timezone <name>', 'IANA time zone; its day is the day of the network', 'UTC')
    .option('--currency <code>', 'ISO 4217 code; all money of the network is in it', 'EUR')
    .action(async (options: CreateOptions, command: Command) => {
      const { createNetwork } = await import('../access/permissions/networks.sql.ts');
      const { name, id, timezone, currency } = options;
      const wish = { name, timezone, currency, by: operator(), ...(id === undefined ? {} : { id }) };
      const made = await withAccess(context, ({ sql }) => createNetwork(sql, wish));
      context.print(command, made, [
        `Network ${made.id} (${name.trim()}), with a production and a staging workspace.`,
        `Next: placard keys create -n ${made.id} --name <what for> --permission admin`,
      ]);
    });
}

function registerStatus(networks: Command, context: CliContext): void {
  networks
    .command('status')
    .description(
      'Set the status of a network: ACTIVE, PAUSED (serves nothing) or SUSPENDED (and nothing can be changed).',
    )
    .argument('<network>', 'id of the network')
    .argument('<status>', 'ACTIVE, PAUSED or SUSPENDED')
    .action(async (id: string, status: string, _options: object, command: Command) => {
      const { setNetworkStatus } = await import('../access/permissions/networks.sql.ts');
      const set = await withAccess(context, ({ sql }) =>
        setNetworkStatus(sql, { id, status: status.toUpperCase(), by: operator() }),
      );
      const said = set.before === set.after ? `is already ${set.after}.` : `was ${set.before} and is now ${set.after}.`;
      context.print(command, { id, ...set }, [`Network ${id} ${said}`]);
    });
}

function registerList(networks: Command, context: CliContext): void {
  networks
    .command('list')
    .description('List all networks.')
    .action(async (_options: object, command: Command) => {
      const { listNetworks } = await import('../access/permissions/networks.sql.ts');
      const listed = await withAccess(context, ({ sql }) => listNetworks(sql));
      const rows = listed.map(({ id, name, status, timezone, currency, createdAt }) => [
        id,
        name,
        status,
        timezone,
        currency,
        showInstant(createdAt),
      ]);
      context.print(
        command,
        listed,
        formatTable([['ID', 'NAME', 'STATUS', 'TIMEZONE', 'CURRENCY', 'CREATED'], ...rows]),
      );
    });
}
