import { EXPERIMENT_ARMS, type ExperimentArm } from './experiment.ts';

/** The figures of one arm in a span of time. */
export interface ArmFigures {
  /** Slots that were asked for. */
  readonly requests: number;
  readonly impressions: number;
  readonly clicks: number;
  /** Attributed to ads of the arm. */
  readonly conversions: number;
  /** Impressions of line items of SPONSORSHIP and STANDARD. */
  readonly guaranteedImpressions: number;
  readonly revenueNanos: bigint;
}

/** The figures of one arm on one day of the network. */
export interface ArmDay extends ArmFigures {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly arm: ExperimentArm;
}

/** Which figures to read. */
export interface ArmDaysQuestion {
  readonly workspaceId: number;
  readonly experimentId: string;
  readonly startsAtMs: number;
  /** Exclusive. */
  readonly endsAtMs: number;
  /** IANA name: its days are counted. */
  readonly timezone: string;
}

/** Reads what experiments had. */
export interface ExperimentFigures {
  /** By day and arm, in no order; arms without any event of a day are left out. @throws OlapError while the analytics store does not respond */
  readArmDays(question: ArmDaysQuestion): Promise<readonly ArmDay[]>;
}

const NANOS = 1e9;

/** What is compared, each for a thousand requests. Revenue is in units of the currency. */
export const COMPARED_MEASURES = {
  REVENUE: { description: 'Revenue.', of: ({ revenueNanos }) => Number(revenueNanos) / NANOS },
  IMPRESSIONS: { description: 'Impressions.', of: ({ impressions }) => impressions },
  GUARANTEED_IMPRESSIONS: {
    description: 'Impressions of guaranteed line items.',
    of: ({ guaranteedImpressions }) => guaranteedImpressions,
  },
  CLICKS: { description: 'Clicks.', of: ({ clicks }) => clicks },
  CONVERSIONS: { description: 'Conversions that are attributed to its ads.', of: ({ conversions }) => conversions },
} as const satisfies Record<string, { readonly description: string; readonly of: (figures: ArmFigures) => number }>;
export type ComparedMeasure = keyof typeof COMPARED_MEASURES;

/** How much an arm by the rule differs from the rest in one measure, for a thousand requests. */
export interface ArmDifference {
  readonly measure: ComparedMeasure;
  /** The rule less the rest: the mean of the days; null without a day. */
  readonly value: number | null;
  /** The interval that holds the true mean in 95 of 100 experiments; null with fewer than {@link INTERVAL_DAYS_MIN} days. */
  readonly low: number | null;
  readonly high: number | null;
  /** The mean of the rest, for comparison; null without a day. */
  readonly rest: number | null;
}

/** The results of an experiment. */
export interface ExperimentResults {
  readonly arms: readonly (ArmFigures & { readonly arm: ExperimentArm })[];
  /** Days that are over and on which both arms had requests. */
  readonly days: number;
  readonly differences: readonly ArmDifference[];
}

/** With fewer days, their spread tells nothing. */
export const INTERVAL_DAYS_MIN = 3;

const NOTHING: ArmFigures = {
  requests: 0,
  impressions: 0,
  clicks: 0,
  conversions: 0,
  guaranteedImpressions: 0,
  revenueNanos: 0n,
};

/**
 * Sums up both arms, and compares them day by day: what a day does to both arms, such as a weekend, cancels out.
 * @param before days from this one on are not over: they count in the sums, and are not compared. YYYY-MM-DD
 */
export function summarizeArms(days: readonly ArmDay[], before: string): ExperimentResults {
  const arms = EXPERIMENT_ARMS.map((arm) => ({
    arm,
    ...days.filter((one) => one.arm === arm).reduce<ArmFigures>(add, NOTHING),
  }));
  const pairs = [...Map.groupBy(days, ({ day }) => day)]
    .filter(([day]) => day < before)
    .map(([, both]) => EXPERIMENT_ARMS.map((arm) => both.find((one) => one.arm === arm) ?? NOTHING))
    .filter((both) => both.every(({ requests }) => requests > 0)) as [ArmFigures, ArmFigures][];
  const measures = Object.keys(COMPARED_MEASURES) as ComparedMeasure[];
  return { arms, days: pairs.length, differences: measures.map((measure) => compare(measure, pairs)) };
}

function add(one: ArmFigures, other: ArmFigures): ArmFigures {
  return {
    requests: one.requests + other.requests,
    impressions: one.impressions + other.impressions,
    clicks: one.clicks + other.clicks,
    conversions: one.conversions + other.conversions,
    guaranteedImpressions: one.guaranteedImpressions + other.guaranteedImpressions,
    revenueNanos: one.revenueNanos + other.revenueNanos,
  };
}

function compare(measure: ComparedMeasure, pairs: readonly (readonly [ArmFigures, ArmFigures])[]): ArmDifference {
  const { of } = COMPARED_MEASURES[measure];
  const perThousand = (figures: ArmFigures): number => (1_000 * of(figures)) / figures.requests;
  const interval = pairedInterval(pairs.map(([rule, rest]) => perThousand(rule) - perThousand(rest)));
  return { measure, ...interval, rest: meanOf(pairs.map(([, rest]) => perThousand(rest))) };
}

/** The mean of differences, and its t-interval at 95 %. */
export function pairedInterval(differences: readonly number[]): Pick<ArmDifference, 'value' | 'low' | 'high'> {
  const count = differences.length;
  const value = meanOf(differences);
  if (value === null || count < INTERVAL_DAYS_MIN) return { value, low: null, high: null };
  const squares = differences.reduce((sum, one) => sum + (one - value) ** 2, 0);
  const reach = tQuantile(count - 1) * Math.sqrt(squares / (count - 1) / count);
  return { value, low: value - reach, high: value + reach };
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** Quantiles of Student's t that leave 2.5 % above them, from one degree of freedom on. */
const SMALL_QUANTILES = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622] as const;
const NORMAL_QUANTILE = 1.959964;

/** The quantile of Student's t that leaves 2.5 % above it, within 0.0002. @param freedom degrees of freedom, at least 1 */
export function tQuantile(freedom: number): number {
  const small = SMALL_QUANTILES[freedom - 1];
  if (small !== undefined) return small;
  // The expansion of Cornish and Fisher.
  const z = NORMAL_QUANTILE;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
}
