import { askGraphql } from '../transport/graphql.ts';
import type { FieldProblem } from '../transport/problem.ts';
import type { Scope } from '../transport/scope.ts';

/** What the activity pixel API would make of an event. Money is exact text. */
export interface ActivityEventInspection {
  readonly outcome: 'ACCEPTED' | 'DUPLICATE' | 'REFUSED';
  readonly refusal: { readonly message: string; readonly fields: readonly FieldProblem[] } | null;
  readonly credit: {
    readonly kind: 'CLICK' | 'VIEW';
    readonly touchedAt: string;
    readonly earned: string;
    readonly lineItem: { readonly id: string; readonly name: string } | null;
  } | null;
  readonly noCredit: 'NO_USER' | 'NO_CONTACT' | 'NONE_COUNTS' | null;
  readonly segmentIds: readonly string[];
}

const INSPECT = `query InspectActivityEvent($event: JSON!) { inspectActivityEvent(event: $event) { outcome noCredit segmentIds
  refusal { message fields { path code message } } credit { kind touchedAt earned lineItem { id name } } } }`;

/** Asks what the activity pixel API would make of an event; nothing is recorded. */
export async function inspectActivityEvent(scope: Scope, event: object): Promise<ActivityEventInspection> {
  type Body = { readonly inspectActivityEvent: ActivityEventInspection };
  return (await askGraphql<Body>(scope, INSPECT, { event })).inspectActivityEvent;
}
