import type { CreativeFigures } from '../delivery/creative-figures.ts';
/** The comparison of two creatives by their click rates. */
export interface Comparison {
  /** The difference of the rates, the second less the first, as a part of the first. */
  readonly lift: number;
  /** 95 % interval of the difference, absolute. */
  readonly low: number;
  readonly high: number;
  /** Two-sided, of the two-proportion z-test. */
  readonly pValue: number;
  readonly verdict: 'better' | 'worse' | 'open' | 'too_little';
  /** Impressions of each that this difference would need to be told, at 80 % power; null: not to be said. */
  readonly needed: number | null;
}

const CONFIDENCE_Z = 1.959964;
const POWER_Z = 0.841621;
/** Below this many expected clicks of either, the approximation by a normal distribution says little. */
const CLICKS_MIN = 10;

/** Compares click rates by the two-proportion z-test. The interval is that of Wald without pooling. */
export function compareRates(first: CreativeFigures, second: CreativeFigures): Comparison {
  const [n1, n2] = [first.impressions, second.impressions];
  const [p1, p2] = [rate(first), rate(second)];
  const pooled = n1 + n2 === 0 ? 0 : (first.clicks + second.clicks) / (n1 + n2);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2));
  const spread = CONFIDENCE_Z * Math.sqrt((p1 * (1 - p1)) / n1 + (p2 * (1 - p2)) / n2);
  const isLittle = Math.min(n1, n2) * pooled < CLICKS_MIN || !Number.isFinite(error) || error === 0;
  const pValue = isLittle ? 1 : 2 * (1 - normal(Math.abs(p2 - p1) / error));
  return {
    lift: p1 === 0 ? 0 : p2 / p1 - 1,
    low: p2 - p1 - (Number.isFinite(spread) ? spread : 0),
    high: p2 - p1 + (Number.isFinite(spread) ? spread : 0),
    pValue,
    verdict: isLittle ? 'too_little' : pValue >= 0.05 ? 'open' : p2 > p1 ? 'better' : 'worse',
    needed: neededFor(p1, p2),
  };
}

function rate({ impressions, clicks }: CreativeFigures): number {
  return impressions === 0 ? 0 : clicks / impressions;
}

/** Impressions of each creative to tell two rates apart: the usual formula for two proportions. */
function neededFor(p1: number, p2: number): number | null {
  if (p1 === p2) return null;
  const mean = (p1 + p2) / 2;
  const root = CONFIDENCE_Z * Math.sqrt(2 * mean * (1 - mean)) + POWER_Z * Math.sqrt(p1 * (1 - p1) + p2 * (1 - p2));
  return Math.ceil(root ** 2 / (p1 - p2) ** 2);
}

/** The standard normal distribution function, by Abramowitz and Stegun 26.2.17: within 7.5e-8. */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp(-(z ** 2) / 2) / Math.sqrt(2 * Math.PI)) * series;
}
