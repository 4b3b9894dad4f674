import type { Command } from 'commander';
import { type AccessSession, operator, withAccess } from './access-session.ts';
import { type CliCommand, type CliContext, formatTable } from './context/cli-context.ts';

interface NetworkOption {
  readonly network: string;
}

interface FromOption extends NetworkOption {
  readonly from?: string;
}

/** `placard rates`: what other currencies are worth to a network. */
export const ratesCommand: CliCommand = {
  name: 'rates',
  register: (program, context) => {
    const rates = program
      .command('rates')
      .description(
        'Set, list and remove the exchange rates of a network, by which bid requests in other currencies get bids.',
      );
    registerSet(rates, context);
    registerList(rates, context);
    registerRemove(rates, context);
  },
};

function registerSet(rates: Command, context: CliContext): void {
  rates
    .command('set')
    .description('Set what one unit of a currency is worth from a day on. Workers apply it within a second.')
    .argument('<currency>', 'ISO 4217 code of the other currency')
    .argument('<rate>', "units of the network's currency for one unit of it, such as 0.92")
    .requiredOption('-n, --network <id>', 'id of the network')
    .option('--from <day>', 'day of the network from which it holds, YYYY-MM-DD (default: today)')
    .action(async (currency: string, rate: string, options: FromOption, command: Command) => {
      const { setNetworkRate } = await import('../access/permissions/network-rates.sql.ts');
      const { network: networkId } = options;
      const set = await withAccess(context, async (session) => {
        const from = options.from ?? (await todayOf(session, networkId));
        const wish = { networkId, rate: { currency: currency.toUpperCase(), rate, from }, by: operator() };
        return { from, ...(await setNetworkRate(session.sql, wish)) };
      });
      context.print(command, { networkId, ...set }, [
        `From ${set.from} on, one ${currency.toUpperCase()} is worth ${rate} ${set.currency} in network ${networkId}.`,
      ]);
    });
}

async function todayOf({ sql }: Pick<AccessSession, 'sql'>, networkId: string): Promise<string> {
  const { listNetworkRates } = await import('../access/permissions/network-rates.sql.ts');
  const { localDay } = await import('../domain/time/calendar.ts');
  return localDay(Date.now(), (await listNetworkRates(sql, networkId)).timezone);
}

function registerList(rates: Command, context: CliContext): void {
  rates
    .command('list')
    .description('List the rates of a network, by currency and day.')
    .requiredOption('-n, --network <id>', 'id of the network')
    .action(async ({ network: networkId }: NetworkOption, command: Command) => {
      const { listNetworkRates } = await import('../access/permissions/network-rates.sql.ts');
      const listed = await withAccess(context, ({ sql }) => listNetworkRates(sql, networkId));
      const rows = listed.rates.map(({ currency, rate, from }) => [currency, from, `${rate} ${listed.currency}`]);
      context.print(command, { networkId, ...listed }, formatTable([['CURRENCY', 'FROM', 'WORTH'], ...rows]));
    });
}

function registerRemove(rates: Command, context: CliContext): void {
  rates
    .command('remove')
    .description('Remove the rates of a currency. Its floors then get no bid.')
    .argument('<currency>', 'ISO 4217 code of the other currency')
    .requiredOption('-n, --network <id>', 'id of the network')
    .option('--from <day>', 'only the rate that begins on this day, YYYY-MM-DD')
    .action(async (code: string, { network: networkId, from }: FromOption, command: Command) => {
      const { removeNetworkRates } = await import('../access/permissions/network-rates.sql.ts');
      const currency = code.toUpperCase();
      const wish = { networkId, currency, from: from ?? null, by: operator() };
      const left = await withAccess(context, ({ sql }) => removeNetworkRates(sql, wish));
      const days = from === undefined ? 'all days' : from;
      context.print(command, { networkId, ...left }, [
        `Removed the rate of ${currency} of ${days} from network ${networkId}.`,
      ]);
    });
}
