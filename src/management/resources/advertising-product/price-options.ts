import type { PriceOption } from '../../../domain/booking/product.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import { PRICING } from '../../../domain/pricing/pricing-models.ts';
import { PricingModelRef } from '../../fields/enumerations.ts';
import { builder } from '../../kernel/builder.ts';
import { columnField, type Field, report } from '../../kernel/field.ts';
import { moneyTwin } from '../../kernel/money-type.ts';
import { checkMoney, checkNumber, checkText } from '../../kernel/scalar-fields.ts';
import { checkAdvertiserIds } from './advertiser-ids.ts';

const OPTIONS_MAX = 100;
const ADVERTISERS_MAX = 200;
const ID_LENGTH_MAX = 60;
const ID = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/;

const texts = {
  id: 'Its id, unique in the product; it stays while the terms of the option change.',
  pricingModel: 'Which event earns the price.',
  price: 'The fixed price in the unit of the pricing model; null = the buyer bids over `floor`.',
  floor: 'The lowest bid in the unit of the pricing model; null = the price is fixed.',
  sharePercent: 'The share of voice that a day buys, in percent; for FLAT only.',
  minimumSpend: 'The lowest budget of a booking by this option; null = that of the product.',
  advertiserIds: 'The advertisers that the option is for (a rate card), by id; empty = all.',
} as const;

/** An amount as a field of an option. */
const MONEY = { price: 'priceMicros', floor: 'floorMicros', minimumSpend: 'minimumSpendMicros' } as const;
const MONEY_FIELDS = Object.entries(MONEY) as [keyof typeof MONEY, (typeof MONEY)[keyof typeof MONEY]][];

function amountOf(micros: number | null): string | null {
  return micros === null ? null : formatMicros(BigInt(micros));
}

const PriceOptionRef = builder.objectRef<PriceOption>('PriceOption').implement({
  description: 'A way to pay for a product: a fixed price, or a floor over which the buyer bids.',
  fields: (t) => ({
    id: t.exposeID('id', { description: texts.id }),
    pricingModel: t.field({
      type: PricingModelRef,
      description: texts.pricingModel,
      resolve: ({ pricingModel }) => pricingModel,
    }),
    ...Object.fromEntries(
      MONEY_FIELDS.flatMap(([name, stored]) => [
        [
          name,
          t.field({
            type: 'Decimal',
            nullable: true,
            description: texts[name],
            resolve: (option: PriceOption) => amountOf(option[stored]),
          }),
        ],
        [`${name}Money`, t.field(moneyTwin<PriceOption>(texts[name], (option) => amountOf(option[stored])))],
      ]),
    ),
    sharePercent: t.exposeFloat('sharePercent', { nullable: true, description: texts.sharePercent }),
    advertiserIds: t.idList({ description: texts.advertiserIds, resolve: ({ advertiserIds }) => [...advertiserIds] }),
  }),
});

const PriceOptionInput = builder.inputType('PriceOptionInput', {
  description: 'A way to pay for a product. Give exactly one of price and floor.',
  fields: (t) => ({
    id: t.id({ required: true, description: `${texts.id} Lower-case letters, digits and . _ - between them.` }),
    pricingModel: t.field({ type: PricingModelRef, required: true, description: texts.pricingModel }),
    price: t.field({ type: 'Decimal', description: texts.price }),
    floor: t.field({ type: 'Decimal', description: texts.floor }),
    sharePercent: t.float({ description: texts.sharePercent }),
    minimumSpend: t.field({ type: 'Decimal', description: texts.minimumSpend }),
    advertiserIds: t.idList({ description: `${texts.advertiserIds} At most ${ADVERTISERS_MAX}.` }),
  }),
});

interface GivenOption {
  readonly id: unknown;
  readonly pricingModel: PriceOption['pricingModel'];
  readonly price?: string | null;
  readonly floor?: string | null;
  readonly sharePercent?: number | null;
  readonly minimumSpend?: string | null;
  readonly advertiserIds?: readonly unknown[] | null;
}

/** The prices of a product, as one field. */
export function priceOptionsField(): Field {
  return columnField(
    {
      name: 'priceOptions',
      description: `The ways to pay for it; empty = it has no price yet. The whole list is replaced. At most ${OPTIONS_MAX}.`,
    },
    {
      input: [PriceOptionInput],
      output: [PriceOptionRef],
      initial: [],
      clearable: false,
      isJson: true,
      check: checkOptions,
      asInput: (stored) => (stored as readonly PriceOption[]).map(optionAsInput),
    },
  );
}

function optionAsInput(option: PriceOption): Record<string, unknown> {
  const { id, pricingModel, sharePercent, advertiserIds } = option;
  const amounts = MONEY_FIELDS.map(([name, stored]) => [name, amountOf(option[stored])] as const);
  const given = [...amounts, ['sharePercent', sharePercent] as const].filter(([, value]) => value !== null);
  return { id, pricingModel, ...Object.fromEntries(given), advertiserIds };
}

function checkOptions(value: unknown, path: string, problems: FieldProblem[]): PriceOption[] {
  const given = value as readonly GivenOption[];
  if (given.length > OPTIONS_MAX)
    report(problems, path, 'too_many', `Give at most ${OPTIONS_MAX} price options; there are ${given.length}.`);
  const options = given.slice(0, OPTIONS_MAX).map((one, index) => checkOption(one, `${path}.${index}`, problems));
  const ids = new Set<string>();
  for (const [index, { id }] of options.entries()) {
    if (ids.has(id)) report(problems, `${path}.${index}.id`, 'repeated', `Another price option has the id ${id}.`);
    ids.add(id);
  }
  return options;
}

function checkOption(given: GivenOption, path: string, problems: FieldProblem[]): PriceOption {
  const rule = { lengthMax: ID_LENGTH_MAX, pattern: ID, wants: 'lower-case letters and digits, with . _ - between' };
  const micros = (name: keyof typeof MONEY): number | null => {
    const amount = given[name];
    return amount === null || amount === undefined ? null : Number(checkMoney(amount, `${path}.${name}`, problems));
  };
  const option = {
    id: checkText(given.id, `${path}.id`, rule, problems),
    pricingModel: given.pricingModel,
    priceMicros: micros('price'),
    floorMicros: micros('floor'),
    sharePercent: given.sharePercent ?? null,
    minimumSpendMicros: micros('minimumSpend'),
    advertiserIds: checkAdvertiserIds(
      given.advertiserIds,
      { path: `${path}.advertiserIds`, max: ADVERTISERS_MAX },
      problems,
    ),
  };
  checkTerms(option, path, problems);
  return option;
}

/** What is wrong within one option. */
function checkTerms(option: PriceOption, path: string, problems: FieldProblem[]): void {
  const { priceMicros, floorMicros, sharePercent, pricingModel } = option;
  if ((priceMicros === null) === (floorMicros === null))
    report(problems, `${path}.price`, 'one_of', 'Give a fixed price or a floor, and not both.');
  const isZero = (name: string, micros: number | null): boolean =>
    micros === 0 && !problems.some((problem) => problem.path === `${path}.${name}`);
  if (isZero('price', priceMicros)) report(problems, `${path}.price`, 'out_of_range', 'Give a price above 0.');
  if (isZero('minimumSpend', option.minimumSpendMicros))
    report(problems, `${path}.minimumSpend`, 'out_of_range', 'Give more than 0, or leave it out.');
  const isByDay = PRICING[pricingModel].unit === 'day';
  if (isByDay && sharePercent === null)
    report(problems, `${path}.sharePercent`, 'required', `Say which share of voice a day at ${pricingModel} buys.`);
  if (!isByDay && sharePercent !== null)
    report(problems, `${path}.sharePercent`, 'not_allowed', `A share is not sold by ${pricingModel}; leave it out.`);
  if (isByDay && floorMicros !== null)
    report(problems, `${path}.floor`, 'not_allowed', `A day at ${pricingModel} has a fixed price.`);
  if (sharePercent !== null) checkNumber(sharePercent, `${path}.sharePercent`, { min: 0.01, max: 100 }, problems);
}
