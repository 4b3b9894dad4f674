import type { PricingModel } from '../../src/domain/pricing/pricing-models.ts';
import { seeded } from './seeded.ts';

/** Creatives of one line item whose click rates may change. */
export interface RotationWorld {
  readonly name: string;
  readonly impressions: number;
  /** The click rate of each creative at an impression. */
  readonly ratesAt: (impression: number) => readonly number[];
}

/** Line items without a history that compete by price. */
export interface PriceWorld {
  readonly name: string;
  readonly impressions: number;
  readonly offers: readonly {
    readonly pricingModel: PricingModel;
    readonly priceMicros: number;
    /** Events that earn, by impression; 1 for CPM. */
    readonly rate: number;
    /** From 1; line items of one advertiser share a history. */
    readonly advertiser: number;
  }[];
}

const ROTATION_WORLDS = 12;
const PARTS = 4;

/** Two to six creatives, with rates of 0.1 to 2 % and up to 2.2 times above or below their middle. */
export function rotationWorlds(impressions: number, isSwitching: boolean): RotationWorld[] {
  const random = seeded(5);
  return Array.from({ length: ROTATION_WORLDS }, (_none, world) => {
    const arms = 2 + Math.floor(random() * 5);
    const middle = 0.001 * 20 ** random();
    const draw = (): number[] => Array.from({ length: arms }, () => middle * Math.exp((random() - 0.5) * 1.6));
    const parts = Array.from({ length: isSwitching ? PARTS : 1 }, draw);
    const name = `${arms} creatives around ${(100 * middle).toFixed(2)} %${isSwitching ? `, ${PARTS} times new` : ''} (${world + 1})`;
    return { name, impressions, ratesAt: (at) => parts[Math.floor((at * parts.length) / impressions)] as number[] };
  });
}

const MICROS = 1_000_000;
const cpm = (price: number): PriceWorld['offers'][number] => ({
  pricingModel: 'CPM',
  priceMicros: price * MICROS,
  rate: 1,
  advertiser: 1,
});
const paidBy =
  (pricingModel: PricingModel) =>
  (price: number, rate: number, advertiser = 2): PriceWorld['offers'][number] => ({
    pricingModel,
    priceMicros: price * MICROS,
    rate,
    advertiser,
  });
const cpc = paidBy('CPC');
const cpa = paidBy('CPA');
const vcpm = paidBy('VCPM');

/** Six worlds that begin without any event; a CPM line item, whose value is known, competes in each. */
export function priceWorlds(impressions: number): PriceWorld[] {
  return [
    { name: 'a CPC line item worth 5.00 beside a CPM of 1.50', offers: [cpm(1.5), cpc(1, 0.005)] },
    { name: 'a CPC line item worth 0.30 beside a CPM of 1.50', offers: [cpm(1.5), cpc(2, 0.000_15)] },
    {
      name: 'eight CPC line items worth 0.40 to 6.40 beside a CPM of 2.00',
      offers: [cpm(2), ...[1, 2, 3, 4, 6, 8, 12, 16].map((rate, at) => cpc(0.4, rate / 1_000, 2 + (at % 3)))],
    },
    { name: 'a CPA line item worth 3.00 beside a CPM of 1.50', offers: [cpm(1.5), cpa(10, 0.000_3)] },
    {
      name: 'vCPM line items of 30 and 80 % viewability beside a CPM of 2.00',
      offers: [cpm(2), vcpm(4.5, 0.3), vcpm(3.5, 0.8, 3)],
    },
    {
      name: 'CPC, CPA and vCPM line items worth 1.00 to 3.60 beside CPMs of 1.00 and 2.50',
      offers: [cpm(1), cpm(2.5), cpc(0.5, 0.002), cpc(1.2, 0.003, 3), cpa(12, 0.000_1, 4), vcpm(4, 0.6, 5)],
    },
  ].map((world) => ({ ...world, impressions }));
}

/** Two to six creatives of one line item, with a click rate on each of three devices. */
export interface ContextWorld {
  readonly impressions: number;
  /** By device, then by creative. */
  readonly rates: readonly (readonly number[])[];
}

/** What click rates depend on. */
export const DEPENDENCES = {
  'on device and creative together': (draw: () => number[]) => [draw(), draw(), draw()],
  'on the device alike for all creatives': (draw: () => number[]) => {
    const rates = draw();
    return [0.5, 1, 1.8].map((factor) => rates.map((rate) => rate * factor));
  },
  'on the creative alone': (draw: () => number[]) => {
    const rates = draw();
    return [rates, rates, rates];
  },
} as const;
export type Dependence = keyof typeof DEPENDENCES;

const CONTEXT_WORLDS = 6;

/** Worlds around rates of 0.2 to 2 %, with creatives up to 2.2 times above or below. */
export function contextWorlds(dependence: Dependence, impressions: number): ContextWorld[] {
  const random = seeded(5);
  return Array.from({ length: CONTEXT_WORLDS }, () => {
    const arms = 2 + Math.floor(random() * 5);
    const middle = 0.002 * 10 ** random();
    const draw = (): number[] => Array.from({ length: arms }, () => middle * Math.exp((random() - 0.5) * 1.6));
    return { impressions, rates: DEPENDENCES[dependence](draw) };
  });
}

/** A CPM line item beside those that are paid by clicks, with a click rate on each of three devices. */
export interface ContextPriceWorld {
  readonly name: string;
  readonly impressions: number;
  readonly cpmMicros: number;
  readonly clicked: readonly { readonly priceMicros: number; readonly rates: readonly number[] }[];
}

/** Line items that are worth 0.50 to 6.00 for a thousand impressions. */
export function contextPriceWorlds(impressions: number): ContextPriceWorld[] {
  const at = (priceMicros: number, ...rates: number[]) => ({ priceMicros, rates: rates.map((rate) => rate / 1_000) });
  return [
    {
      name: 'two CPC line items, each clicked on another device, beside a CPM of 2.00',
      cpmMicros: 2 * MICROS,
      clicked: [at(MICROS, 5, 1, 1), at(MICROS, 1, 5, 1)],
    },
    {
      name: 'four CPC line items, each clicked most on one device, beside a CPM of 2.00',
      cpmMicros: 2 * MICROS,
      clicked: [at(MICROS, 6, 2, 2), at(MICROS, 1.5, 4.5, 1.5), at(MICROS, 1, 1, 4), at(2 * MICROS, 1, 1, 1)],
    },
    {
      name: 'a CPC line item that a CPM of 2.00 beats on two of three devices',
      cpmMicros: 2 * MICROS,
      clicked: [at(MICROS, 4, 0.5, 0.5)],
    },
    {
      name: 'four CPC line items that are clicked alike on all devices, beside a CPM of 2.00',
      cpmMicros: 2 * MICROS,
      clicked: [at(MICROS, 3, 3, 3), at(MICROS, 2, 2, 2), at(MICROS, 1.5, 1.5, 1.5), at(MICROS, 1, 1, 1)],
    },
    {
      name: 'two CPC line items, clicked on mobile devices twice as often, beside a CPM of 2.00',
      cpmMicros: 2 * MICROS,
      clicked: [at(MICROS, 4, 2, 1.5), at(MICROS, 3, 1.5, 1.1)],
    },
  ].map((world) => ({ ...world, impressions }));
}
