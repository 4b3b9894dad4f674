import { builder } from './builder.ts';
import type { ManagementContext } from './context.ts';
import type { Field, StoredRow } from './field.ts';
import { onceInRequest } from './loaders.ts';
import { findCurrency } from './currency.sql.ts';
import { queryableOf } from './transactions.sql.ts';

/** An amount of the network's money. */
export const MoneyRef = builder.objectRef<{ readonly amount: string }>('Money').implement({
  description: 'An amount of money with its currency.',
  fields: (t) => ({
    amount: t.field({ type: 'Decimal', description: 'The exact amount.', resolve: ({ amount }) => amount }),
    currencyCode: t.string({
      description: 'ISO 4217 code: that of the network.',
      resolve: (_money, _args, context) => currencyOf(context),
    }),
  }),
});

function currencyOf(context: ManagementContext): Promise<string> {
  const { networkId } = context.principal;
  return onceInRequest(context, 'currency', () =>
    context.budget.read(() => findCurrency(queryableOf(context), networkId)),
  );
}

/** The options of the twin of a decimal field: the same amount as money. @param amountOf null: there is none */
export function moneyTwin<Of>(description: string, amountOf: (one: Of) => string | null) {
  return {
    type: MoneyRef,
    nullable: true,
    description: `${description} With its currency.`,
    resolve: (one: Of) => {
      const amount = amountOf(one);
      return amount === null ? null : ({ amount } as never);
    },
  } as const;
}

/** The options of the field that shows a decimal amount as money. */
export function moneyOptions(field: Field) {
  return {
    type: MoneyRef,
    nullable: field.outputNullable,
    description: `${field.description} With its currency.`,
    resolve: (row: StoredRow) => {
      const amount = field.read(row);
      return amount === null ? null : ({ amount: amount as string } as never);
    },
  };
}
