import type { LabelCap } from '../frequency/label-cap.ts';
import type { Experiment } from '../experiments/experiment.ts';
import type { ExchangeRate } from './exchange-rates.ts';

/** Production and staging are two workspaces of one network; nothing but users is shared between them. */
export const ENVIRONMENTS = ['production', 'staging'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** ACTIVE serves; PAUSED serves nothing, reads and writes work; SUSPENDED as PAUSED, and writes fail. */
export const NETWORK_STATUSES = ['ACTIVE', 'PAUSED', 'SUSPENDED'] as const;
export type NetworkStatus = (typeof NETWORK_STATUSES)[number];

/** The modules of the platform: each route and operation belongs to one, and keys can be limited to some. */
export const MODULES = ['DELIVERY', 'INVENTORY', 'AUDIENCE', 'REPORTS'] as const;
export type Module = (typeof MODULES)[number];

/** From narrow to wide: each includes the one before it. */
export const PERMISSIONS = ['read-only', 'read-write', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Which impressions a conversion may be credited to: every one, or those that were in view. */
export const IMPRESSION_TOUCHES = ['IMPRESSIONS', 'VIEWABLE_IMPRESSIONS'] as const;
export type ImpressionTouches = (typeof IMPRESSION_TOUCHES)[number];

/** Whether creatives of a network are reviewed before they serve. */
export type CreativeReview = 'NONE' | 'REQUIRED';

/** How guaranteed line items meet what is sold by price: by what their goals bid, or by level and urgency, before all prices. */
export type GoalCompetition = 'BIDS' | 'LEVELS';

/** The path prefix of an environment: production has none, staging is under `/staging`. */
export function pathPrefix(environment: Environment): '' | '/staging' {
  return environment === 'staging' ? '/staging' : '';
}

/** One environment of a network, as every process knows it. `workspaceId` is what tables are scoped by. */
export interface Workspace {
  readonly workspaceId: number;
  readonly networkId: string;
  readonly environment: Environment;
  readonly networkName: string;
  readonly status: NetworkStatus;
  /** IANA name; a "day" of this network is a day there. */
  readonly timezone: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Lowest CPM that may be bid, in micros; 0 = none. */
  readonly floorMicros: number;
  /** Languages of the "Why this ad?" page, the first is the fallback; absent = all that it speaks. */
  readonly whyLanguages?: readonly string[];
  /** How often one user sees ads that bear a label; absent = no limits. */
  readonly labelCaps?: readonly LabelCap[];
  /** The worth of other currencies; absent = unknown. */
  readonly exchangeRates?: readonly ExchangeRate[];
  /** Absent = by what goals bid. */
  readonly goalCompetition?: GoalCompetition;
  /** Absent = every impression. */
  readonly impressionTouches?: ImpressionTouches;
  /** The experiment that ends last: of those that have not ended there is one at most. Absent: there was none yet. */
  readonly experiment?: Experiment;
}
