import { hmacSha256 } from '../ids/keyed-hash.ts';
import { type KeyValuesOf, NO_KEY_VALUES, type ReportedKeyValues } from '../targeting/key-value.ts';

/**
 * The other rules by which a share of the traffic can be decided. A new rule needs a row here, and then one in `decision/experiment-rules.ts`.
 */
export const EXPERIMENT_RULES = {
  NO_LEARNING: {
    description:
      'Line items are valued by usual rates, such as 0.1 % for clicks, instead of learnt ones: no trials, no contexts.',
    goalsBid: true,
  },
  NO_PRICES: {
    description:
      'Guaranteed goals do not bid: each takes its share of its plan, by level and urgency, before anything that is sold by price.',
    goalsBid: false,
  },
} as const satisfies Record<string, { readonly description: string; readonly goalsBid: boolean }>;
export type ExperimentRule = keyof typeof EXPERIMENT_RULES;

/** The two parts of the traffic: decided by the rule, and as always. */
export const EXPERIMENT_ARMS = ['RULE', 'REST'] as const;
export type ExperimentArm = (typeof EXPERIMENT_ARMS)[number];

/** The largest share of the traffic, in percent; the smallest is 1. */
export const SHARE_PERCENT_MAX = 50;
/** The longest experiment, in days. */
export const EXPERIMENT_DAYS_MAX = 366;

/** A part of the traffic that is decided by another rule for a time. */
export interface Experiment {
  /** Decimal text. */
  readonly id: string;
  readonly rule: ExperimentRule;
  /** Of the traffic that the rule decides: whole, 1…`SHARE_PERCENT_MAX`. */
  readonly sharePercent: number;
  readonly startsAtMs: number;
  /** Exclusive. */
  readonly endsAtMs: number;
}

/** The arm of one decision. */
export interface DecidedArm {
  readonly experimentId: string;
  readonly arm: ExperimentArm;
  readonly rule: ExperimentRule;
  readonly sharePercent: number;
}

/** Whether guaranteed goals bid in an arm; null = no experiment runs. */
export function doGoalsBid(arm: DecidedArm | null): boolean {
  return arm === null || arm.arm === 'REST' || EXPERIMENT_RULES[arm.rule].goalsBid;
}

/** Whom an arm is drawn for. */
export interface ArmSubject {
  readonly workspaceId: number;
  /** '' = no user, or one who may not be recognised: then each request is drawn by itself. */
  readonly userHash: string;
}

const HASH_DIGITS = 8;
const HASHES = 2 ** (4 * HASH_DIGITS);

/**
 * The arm of a request; null where no experiment runs. A user keeps the arm for the whole experiment, and has independent arms in different experiments. Nobody
 * without the secret can tell it.
 * @param random uniform in [0, 1); asked only without a user
 */
export function armOf(
  experiment: Experiment | undefined,
  { workspaceId, userHash }: ArmSubject,
  { secret, nowMs, random }: { readonly secret: Buffer; readonly nowMs: number; readonly random: () => number },
): DecidedArm | null {
  if (experiment === undefined || nowMs < experiment.startsAtMs || nowMs >= experiment.endsAtMs) return null;
  const { id, rule, sharePercent } = experiment;
  const drawn = userHash === '' ? random() : hashOf(secret, `${workspaceId}/experiment/${id}/${userHash}`);
  return { experimentId: id, arm: 100 * drawn < sharePercent ? 'RULE' : 'REST', rule, sharePercent };
}

function hashOf(secret: Buffer, message: string): number {
  return Number.parseInt(hmacSha256(secret, message, 'hex').slice(0, HASH_DIGITS), 16) / HASHES;
}

/** The key under which events bear the arm of their decision. Keys of networks have ids from 1 on, so that no network and no request can set it. */
export const ARM_KEY_ID = '0';

/** The value of {@link ARM_KEY_ID}, such as `12:RULE`. */
export function armValue(experimentId: string, arm: ExperimentArm): string {
  return `${experimentId}:${arm}`;
}

/** The reported key-values of slots, with the arm. */
export function withArm(keyValuesOf: KeyValuesOf, { experimentId, arm }: DecidedArm): KeyValuesOf {
  const own = { [ARM_KEY_ID]: armValue(experimentId, arm) };
  let [last, whole]: [ReportedKeyValues, ReportedKeyValues] = [NO_KEY_VALUES, own];
  return (slot) => {
    const keyValues = keyValuesOf(slot);
    // Slots of a request share the same object, by which counting recognises them.
    if (keyValues !== last) [last, whole] = [keyValues, { ...own, ...keyValues }];
    return whole;
  };
}
