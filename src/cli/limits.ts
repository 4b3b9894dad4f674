import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { LimitName } from '../access/permissions/permissions.ts';
import { ENVIRONMENTS, type Environment } from '../domain/tenancy/workspace.ts';
import type { HotStore } from '../storage/hot/hot-store.ts';
import { addWorkspaceOptions, openWorkspace, operator, withAccess, type WorkspaceOptions } from './access-session.ts';
import { type CliCommand, type CliContext, formatTable } from './context/cli-context.ts';

const LIMITS: readonly LimitName[] = ['management', 'reports', 'events', 'ads'];
const DAILY: readonly LimitName[] = ['management', 'reports', 'events'];

/** `placard limits`: what networks may ask, and what they have used today. */
export const limitsCommand: CliCommand = {
  name: 'limits',
  register: (program, context) => {
    const limits = program
      .command('limits')
      .description('Show and set the ceilings of a network, and reset counts. Its admin sets limits below them.');
    registerShow(limits, context);
    registerSet(limits, context);
    registerReset(limits, context);
  },
};

function registerShow(limits: Command, context: CliContext): void {
  limits
    .command('show')
    .description('Show the limits of a network, their ceilings, and the use of this UTC day.')
    .argument('<network>', 'id of the network')
    .action(async (networkId: string, _options: object, command: Command) => {
      const rows = await readRows(context, networkId);
      const table = rows.map(({ environment, limit, ceiling, own, effective, used }) => [
        environment,
        limit,
        limit === 'ads' ? 'second' : 'UTC day',
        String(ceiling),
        own === null ? '-' : String(own),
        String(effective),
        used === null ? '-' : String(used),
      ]);
      context.print(
        command,
        rows,
        formatTable([['ENVIRONMENT', 'LIMIT', 'PER', 'CEILING', 'OWN', 'HOLDS', 'USED'], ...table]),
      );
    });
}

interface LimitRow {
  readonly environment: Environment;
  readonly limit: LimitName;
  readonly ceiling: number;
  readonly own: number | null;
  readonly effective: number;
  /** Today; null for the limit per second. */
  readonly used: number | null;
}

async function readRows(context: CliContext, networkId: string): Promise<LimitRow[]> {
  const { readNetworkLimits } = await import('../access/limits/limit-ceilings.sql.ts');
  const { readUse } = await import('../access/limits/limit-use.ts');
  return withAccess(context, async ({ sql }) => {
    const { workspaceIds, ceilings, own, effective } = await readNetworkLimits(sql, networkId);
    return withHot(context, async (hot) => {
      const rows: LimitRow[] = [];
      for (const environment of ENVIRONMENTS) {
        const use = await readUse(hot, workspaceIds[environment], Date.now());
        for (const limit of LIMITS) {
          const shown = { ceiling: ceilings[limit], own: own[limit] ?? null, effective: effective[limit] };
          rows.push({ environment, limit, ...shown, used: limit === 'ads' ? null : (use[limit] ?? 0) });
        }
      }
      return rows;
    });
  });
}

function registerSet(limits: Command, context: CliContext): void {
  limits
    .command('set')
    .description('Set the ceiling of a limit of a network, for both environments. It takes effect within a second.')
    .argument('<network>', 'id of the network')
    .addArgument(new Argument('<limit>', 'which limit').choices(LIMITS))
    .argument('<units>', 'requests per UTC day (ads: per second), or "default"', parseUnits)
    .action(async (networkId: string, limit: LimitName, units: number | 'default', ...rest: [object, Command]) => {
      const { setCeiling } = await import('../access/limits/limit-ceilings.sql.ts');
      const wish = { networkId, limit, units: units === 'default' ? null : units, by: operator() };
      const set = await withAccess(context, ({ sql }) => setCeiling(sql, wish));
      const said = set.before === set.after ? `is already ${set.after}.` : `was ${set.before} and is now ${set.after}.`;
      context.print(rest[1], { networkId, limit, ...set }, [`The ceiling of ${limit} of network ${networkId} ${said}`]);
    });
}

function parseUnits(text: string): number | 'default' {
  if (text === 'default') return text;
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Write a whole number, or "default".');
  return Number(text);
}

function registerReset(limits: Command, context: CliContext): void {
  const reset = limits
    .command('reset')
    .description('Restart the count of a daily limit at 0. Running processes apply it at once.')
    .addArgument(new Argument('<limit>', 'which limit').choices(DAILY));
  addWorkspaceOptions(reset).action(async (limit: LimitName, options: WorkspaceOptions, command: Command) => {
    const { resetUse } = await import('../access/limits/limit-use.ts');
    const { recordReset } = await import('../access/limits/limit-ceilings.sql.ts');
    const used = await withAccess(context, async (session) => {
      const { workspaceId, by } = await openWorkspace(session, options);
      const taken = await withHot(context, (hot) => resetUse(hot, { workspaceId, limit }, Date.now()));
      await recordReset(session.sql, { limit, used: taken, by });
      return taken;
    });
    const { network, environment } = options;
    context.print(command, { networkId: network, environment, limit, used }, [
      `Network ${network} (${environment}) had used ${used} of ${limit} today; it starts from 0 again.`,
    ]);
  });
}

async function withHot<T>(context: CliContext, work: (hot: HotStore) => Promise<T>): Promise<T> {
  const { borrowHotStore } = await import('../runtime/hot-store/borrow-hot-store.ts');
  const { dataDir, redisUrl } = context.settings();
  const { hot, close } = await borrowHotStore({ dataDir, log: context.log() }, redisUrl);
  try {
    return await work(hot);
  } finally {
    await close();
  }
}
