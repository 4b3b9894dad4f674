import type { DecidedArm, ExperimentRule } from '../../domain/experiments/experiment.ts';
import { capCounterKey } from '../../domain/money/limit.ts';
import { evidenceByCounters } from '../value/rate-evidence.ts';
import type { DecideContext } from './decision.ts';
import type { DeliveryState } from './delivery-state.ts';
import { Competition } from './index/competition.ts';
import type { CompiledWorkspace } from './index/compiled-workspace.ts';

type Ruled = NonNullable<DecideContext['ruled']>;

/** The counter of a line item that has had nothing. */
const nothing = (): number => 0;

/** Its paces are remembered like those of a pacer, and are not those that line items hold. */
const PACED_APART = {};

/** What each rule of an experiment changes of the state that decisions ask. */
const RULES: Readonly<Record<ExperimentRule, (state: DeliveryState, ruled: Ruled) => Partial<DeliveryState>>> = {
  NO_LEARNING: () => ({
    rate: (asked, parent) => evidenceByCounters(asked, parent, nothing),
    isWithoutTrials: true,
    lifts: () => null,
    unitBar: () => null,
  }),
  NO_PRICES: (state, { sharePercent }) => ({
    hasWorths: () => false,
    ...(state.pacer === undefined ? {} : { pacer: PACED_APART }),
    ...paceOf(state, { shareWithoutBids: sharePercent / 100 }),
  }),
};

/** How an arm is decided, as a part of the input of a decision; null and absent = as always. */
export function decidedBy(arm: DecidedArm | null | undefined): Pick<DecideContext, 'ruled'> {
  return arm?.arm === 'RULE' ? { ruled: { rule: arm.rule, sharePercent: arm.sharePercent } } : {};
}

/** The state by which the rule of an experiment decides. A recording holds only what the rule asks, so that a replay by the same rule reads the same. */
export function stateByRule(state: DeliveryState, ruled: Ruled): DeliveryState {
  return Object.assign(viewOf(state), RULES[ruled.rule](state, ruled));
}

/** What the state lacks is lacking here, too: decisions then compute it from counters. */
function viewOf(state: DeliveryState): DeliveryState {
  return {
    counter: (key) => state.counter(key),
    capCount: (check, day) => state.capCount?.(check, day) ?? state.counter(capCounterKey(check, day)),
    isUsedUp: (check) => state.isUsedUp?.(check) === true,
    hasWorths: () => state.hasWorths?.() === true,
    lifts: (workspaceId) => state.lifts?.(workspaceId) ?? null,
    unitBar: (lineItemId) => state.unitBar?.(lineItemId) ?? null,
    ...paceOf(state, {}),
    ...(state.rate === undefined ? {} : { rate: state.rate.bind(state) }),
    pacer: state.pacer,
    readsLater: state.readsLater === true,
    get isIncomplete() {
      return state.isIncomplete === true;
    },
  };
}

function paceOf(state: DeliveryState, more: { readonly shareWithoutBids?: number }): Pick<DeliveryState, 'pace'> {
  const pace = state.pace?.bind(state);
  return pace === undefined ? {} : { pace: (lineItem, at) => pace(lineItem, { ...at, ...more }) };
}

const byRule = new WeakMap<CompiledWorkspace, Map<ExperimentRule, CompiledWorkspace>>();

/** The workspace with memories of its own for a rule: what is remembered of urgencies, values and orders of line items follows from the rule. */
export function workspaceByRule(compiled: CompiledWorkspace, rule: ExperimentRule): CompiledWorkspace {
  let known = byRule.get(compiled);
  if (known === undefined) byRule.set(compiled, (known = new Map()));
  let ruled = known.get(rule);
  if (ruled === undefined) known.set(rule, (ruled = { ...compiled, competition: new Competition(compiled.lineItems) }));
  return ruled;
}
