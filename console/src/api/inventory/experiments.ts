import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';

export const EXPERIMENT_RULES = ['NO_PRICES', 'NO_LEARNING'] as const;
export type ExperimentRule = (typeof EXPERIMENT_RULES)[number];

/** A share of the traffic that another rule decides for a time. */
export interface Experiment {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly rule: ExperimentRule;
  readonly sharePercent: number;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly state: 'SCHEDULED' | 'RUNNING' | 'ENDED';
}

/** The figures of one arm. */
export interface ArmFigures {
  readonly arm: 'RULE' | 'REST';
  readonly requests: number;
  readonly impressions: number;
  readonly guaranteedImpressions: number;
  readonly clicks: number;
  readonly conversions: number;
  /** Decimal text. */
  readonly revenue: string;
  readonly revenuePerThousandRequests: string | null;
}

/** The rule less the rest in one measure, for a thousand requests. */
export interface ArmDifference {
  readonly measure: 'REVENUE' | 'IMPRESSIONS' | 'GUARANTEED_IMPRESSIONS' | 'CLICKS' | 'CONVERSIONS';
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly rest: number | null;
}

/** The results of an experiment. */
export interface ExperimentResults {
  readonly arms: readonly ArmFigures[];
  readonly days: number;
  readonly differences: readonly ArmDifference[];
}

/** The fields of a new experiment. Instants are ISO texts. */
export interface NewExperiment {
  readonly name: string;
  readonly rule: ExperimentRule;
  readonly sharePercent: number;
  readonly startsAt: string;
  readonly endsAt: string;
}

/** Most experiments that are listed. */
const LISTED_MAX = 100;
const LIST = `query Experiments { experiments(first: ${LISTED_MAX}, filter: { statuses: [ACTIVE] }, sort: { field: ID, direction: DESC }) {
  nodes { id version name rule sharePercent startsAt endsAt state } } }`;
const RESULTS = `query ExperimentResults($id: ID!) { experiment(id: $id) { results {
  days arms { arm requests impressions guaranteedImpressions clicks conversions revenue revenuePerThousandRequests }
  differences { measure value low high rest } } } }`;
const CREATE =
  'mutation CreateExperiment($input: CreateExperimentInput!) { createExperiment(input: $input) { experiment { id } } }';
const STOP =
  'mutation StopExperiment($id: ID!, $input: UpdateExperimentInput!) { updateExperiment(id: $id, input: $input) { experiment { id } } }';

/** The newest experiments, the newest first. */
export async function loadExperiments(scope: Scope, signal: AbortSignal): Promise<readonly Experiment[]> {
  const { experiments } = await askGraphql<{ experiments: { nodes: readonly Experiment[] } }>(scope, LIST, {}, signal);
  return experiments.nodes;
}

/** The results of one experiment; null where there are no reports. */
export async function loadResults(scope: Scope, id: string, signal: AbortSignal): Promise<ExperimentResults | null> {
  const { experiment } = await askGraphql<{ experiment: { results: ExperimentResults | null } | null }>(
    scope,
    RESULTS,
    { id },
    signal,
  );
  return experiment?.results ?? null;
}

/** Makes an experiment. @throws ApiProblem while another one has not ended */
export async function createExperiment(scope: Scope, input: NewExperiment): Promise<void> {
  await askGraphql(scope, CREATE, { input });
}

/** Ends an experiment now; one that has not begun never does. */
export async function stopExperiment(scope: Scope, { id, startsAt }: Experiment, nowMs: number): Promise<void> {
  const endsAt = new Date(Math.max(nowMs, Date.parse(startsAt))).toISOString();
  await askGraphql(scope, STOP, { id, input: { endsAt } });
}
