import type { FieldProblem } from '../../../domain/errors.ts';
import {
  EXCHANGE_RATES_MAX,
  faultOfRate,
  readExchangeRates,
  sortRates,
} from '../../../domain/tenancy/exchange-rates.ts';
import type { ExchangeRate } from '../../../domain/tenancy/exchange-rates.ts';
import { builder } from '../../kernel/builder.ts';
import { report } from '../../kernel/field.ts';
import { NetworkRef } from './network.ts';

const ExchangeRateRef = builder.objectRef<ExchangeRate>('ExchangeRate').implement({
  description:
    'What another currency is worth. Bid requests with floors in that currency, or that accept it alone, get bids by this rate.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'ISO 4217 code of the other currency.' }),
    rate: t.field({
      type: 'Decimal',
      description: "Units of the network's currency for one unit of the other currency.",
      resolve: ({ rate }) => rate,
    }),
    from: t.exposeString('from', {
      description: 'The day of the network from whose beginning the rate holds, as YYYY-MM-DD.',
    }),
  }),
});

/** An entry of `UpdateNetworkInput.exchangeRates`. */
export const ExchangeRateInput = builder.inputType('ExchangeRateInput', {
  description: 'What another currency is worth from a day on.',
  fields: (t) => ({
    currency: t.string({ required: true, description: "ISO 4217 code, not the network's own." }),
    rate: t.field({
      type: 'Decimal',
      required: true,
      description:
        "Units of the network's currency for one unit of the other currency: above 0, with at most 12 decimals.",
    }),
    from: t.string({
      required: true,
      description:
        'The day of the network from whose beginning the rate holds, as YYYY-MM-DD. Each currency has one rate a day.',
    }),
  }),
});

builder.objectField(NetworkRef, 'exchangeRates', (t) =>
  t.field({
    type: [ExchangeRateRef],
    description:
      'What other currencies are worth, by currency and day. Without a rate, floors in another currency get no bid.',
    resolve: ({ settings }) => [...(readExchangeRates(settings).exchangeRates ?? [])],
  }),
);

/** Checks the list of `UpdateNetworkInput.exchangeRates`. @param currency that of the network after the change */
export function checkExchangeRates(
  given: readonly ExchangeRate[],
  currency: string,
  problems: FieldProblem[],
): ExchangeRate[] {
  const path = 'input.exchangeRates';
  if (given.length > EXCHANGE_RATES_MAX)
    report(problems, path, 'too_many', `Give at most ${EXCHANGE_RATES_MAX} entries; there are ${given.length}.`);
  const seen = new Set<string>();
  const rates = given.slice(0, EXCHANGE_RATES_MAX).map((entry, index) => {
    const fault = faultOfRate(entry, currency);
    if (fault !== null) report(problems, `${path}.${index}.${fault.member}`, fault.code, fault.message);
    const key = `${entry.currency} ${entry.from}`;
    if (seen.has(key)) report(problems, `${path}.${index}.from`, 'duplicate', 'Give one rate of a currency a day.');
    seen.add(key);
    return { currency: entry.currency, rate: entry.rate, from: entry.from };
  });
  return sortRates(rates);
}
