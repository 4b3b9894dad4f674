import { type Command, InvalidArgumentError } from 'commander';
import { operator, showInstant, withAccess } from './access-session.ts';
import { type CliCommand, type CliContext, formatTable } from './context/cli-context.ts';

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
    const networks = program
      .command('networks')
      .description('Create, list, suspend, close and delete networks (tenants).');
    registerCreate(networks, context);
    registerStatus(networks, context);
    registerList(networks, context);
    registerClose(networks, context);
    registerReopen(networks, context);
    registerDelete(networks, context);
    registerDeletions(networks, context);
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
    .option('--probe', 'also the network in which the installation tries itself')
    .action(async ({ probe = false }: { probe?: boolean }, command: Command) => {
      const { listNetworks } = await import('../access/permissions/networks.sql.ts');
      const listed = await withAccess(context, ({ sql }) => listNetworks(sql, { withProbe: probe }));
      const rows = listed.map(({ id, name, status, timezone, currency, createdAt, closedAt, deleteAt }) => [
        id,
        name,
        closedAt === null ? status : 'CLOSED',
        timezone,
        currency,
        showInstant(createdAt),
        showInstant(deleteAt),
      ]);
      context.print(
        command,
        listed,
        formatTable([['ID', 'NAME', 'STATUS', 'TIMEZONE', 'CURRENCY', 'CREATED', 'DELETED FROM'], ...rows]),
      );
    });
}

function registerClose(networks: Command, context: CliContext): void {
  networks
    .command('close')
    .description('Close a network: it serves nothing, nothing can be changed, and only its admins can still read.')
    .argument('<network>', 'id of the network')
    .action(async (id: string, _options: object, command: Command) => {
      const { closeNetwork } = await import('../access/networks/closing.sql.ts');
      const { name, closedAt } = await withAccess(context, ({ sql }) => closeNetwork(sql, { id, by: operator() }));
      context.print(command, { id, name, closedAt }, [
        `Network ${id} (${name}) is closed. Links of ads that were served before still count.`,
        `To open it again: placard networks reopen ${id}`,
        `To delete it: placard networks delete ${id} --confirm ${JSON.stringify(name)}`,
      ]);
    });
}

function registerReopen(networks: Command, context: CliContext): void {
  networks
    .command('reopen')
    .description('Open a closed network again, with its former status; a planned deletion is cancelled.')
    .argument('<network>', 'id of the network')
    .action(async (id: string, _options: object, command: Command) => {
      const { reopenNetwork } = await import('../access/networks/closing.sql.ts');
      const { name, status } = await withAccess(context, ({ sql }) => reopenNetwork(sql, { id, by: operator() }));
      context.print(command, { id, name, status }, [`Network ${id} (${name}) is open again: ${status}.`]);
    });
}

function registerDelete(networks: Command, context: CliContext): void {
  networks
    .command('delete')
    .description(
      'Plan the deletion of a closed network. Its data stays for some days, then the running service deletes it.',
    )
    .argument('<network>', 'id of the network')
    .requiredOption('--confirm <name>', 'the name of the network')
    .option('--after-days <number>', 'days from now until the deletion begins (default: 30)', parseDays)
    .action(async (id: string, options: { confirm: string; afterDays?: number }, command: Command) => {
      const { DELETION_DAYS, planDeletion } = await import('../access/networks/closing.sql.ts');
      const { confirm, afterDays: days = DELETION_DAYS } = options;
      const planned = await withAccess(context, ({ sql }) => planDeletion(sql, { id, confirm, days, by: operator() }));
      context.print(command, { id, ...planned }, [
        `The deletion of network ${id} (${planned.name}) begins at ${showInstant(planned.deleteAt)} UTC. Until then, "placard networks reopen ${id}" cancels it.`,
        'To see how far it is: placard networks deletions',
      ]);
    });
}

function parseDays(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('Write a whole number of days.');
  return Number(text);
}

function registerDeletions(networks: Command, context: CliContext): void {
  networks
    .command('deletions')
    .description('List the deletions that have begun, and how far they are.')
    .action(async (_options: object, command: Command) => {
      const { listDeletions } = await import('../access/networks/deletions.sql.ts');
      const listed = await withAccess(context, ({ sql }) => listDeletions(sql));
      const rows = listed.map(({ networkId, name, begunAt, endedAt, done, rows: deleted }) => [
        networkId,
        name,
        showInstant(begunAt),
        showInstant(endedAt),
        Object.keys(done).join(' ') || '-',
        String(deleted),
      ]);
      context.print(
        command,
        listed,
        formatTable([['NETWORK', 'NAME', 'BEGUN', 'ENDED', 'STEPS DONE', 'ROWS'], ...rows]),
      );
    });
}
