import { DELIVERY_TEXT_FIELDS, type DeliveryText } from './delivery-text.ts';
import { askGraphql } from '../transport/graphql.ts';
import { ApiProblem } from '../transport/problem.ts';
import type { Scope } from '../transport/scope.ts';
import { TARGETING_FIELDS } from './targeting.ts';

/** A change that removes a cause, as data: `document` with `variables` carries it out. */
export interface DeliveryChange {
  readonly code: string;
  readonly sentence: string;
  /** The same as data; null: it has no code. */
  readonly text: DeliveryText | null;
  readonly mutation: string | null;
  readonly document: string | null;
  readonly variables: ChangeVariables | null;
  /** Members that a person must add first; empty: it can be sent as it is. */
  readonly missing: readonly string[];
  readonly impressions: number | null;
}

/** The variables of a change. `id` and `version` are absent where it creates something. */
export interface ChangeVariables {
  readonly id?: string;
  readonly version?: number;
  readonly input: Readonly<Record<string, unknown>>;
}

/** How often a line item met an outcome. */
export interface ReasonCount {
  /** `won`, or the tests that it failed, joined by `+`. */
  readonly reason: string;
  readonly opportunities: number;
  readonly percent: number;
}

/** The outcomes of one hour. */
export interface HourOfReasons {
  /** ISO 8601. */
  readonly hour: string;
  readonly numbers: readonly Omit<ReasonCount, 'percent'>[];
}

/** Why a line item delivers as it does. */
export interface DeliveryDiagnosis {
  readonly code: string;
  readonly sentence: string;
  /** The same as data, part by part. */
  readonly texts: readonly DeliveryText[];
  readonly advice: string;
  readonly adviceText: DeliveryText | null;
  readonly hours: number;
  readonly opportunities: number;
  readonly inReach: number;
  readonly changes: readonly DeliveryChange[];
  /** So many of them, from the first on, help only together. */
  readonly changesTogether: number;
  readonly numbers: readonly ReasonCount[];
  readonly byHour: readonly HourOfReasons[];
  readonly rivals: readonly { readonly lineItemId: string; readonly name: string; readonly opportunities: number }[];
}

const CHANGES = `changes { code sentence text ${DELIVERY_TEXT_FIELDS} mutation document variables missing impressions }`;
const DIAGNOSIS = `query DeskDiagnosis($id: ID!) { lineItem(id: $id) { deliveryDiagnosis {
  code sentence texts ${DELIVERY_TEXT_FIELDS} advice adviceText ${DELIVERY_TEXT_FIELDS} hours opportunities inReach changesTogether numbers { reason opportunities percent }
  byHour { hour numbers { reason opportunities } }
  rivals { lineItemId name opportunities }
  ${CHANGES} } } }`;

/** Reads the diagnosis of a line item. */
export async function loadDiagnosis(scope: Scope, id: string, signal: AbortSignal): Promise<DeliveryDiagnosis | null> {
  type Body = { lineItem: { deliveryDiagnosis: DeliveryDiagnosis } | null };
  return (await askGraphql<Body>(scope, DIAGNOSIS, { id }, signal)).lineItem?.deliveryDiagnosis ?? null;
}

/** What keeps a line item from delivering. */
export type DiagnosedCause = Pick<DeliveryDiagnosis, 'sentence' | 'texts'>;

/** Why a line item is in trouble, and the changes that would help. */
export type TroubleCause = DiagnosedCause & Pick<DeliveryDiagnosis, 'code' | 'changes' | 'changesTogether'>;

/** Why line items are in trouble, by id. At most 100 are read. */
export async function loadTroubleCauses(
  scope: Scope,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, TroubleCause>> {
  const query = `query DeskCauses($ids: [ID!]) { table: lineItemTable(filter: { ids: $ids }, first: 100) {
    nodes { id deliveryDiagnosis { code sentence texts ${DELIVERY_TEXT_FIELDS} changesTogether ${CHANGES} } } } }`;
  type Body = { table: { nodes: readonly { id: string; deliveryDiagnosis: TroubleCause }[] } };
  const { table } = await askGraphql<Body>(scope, query, { ids: ids.slice(0, 100) }, signal);
  return new Map(table.nodes.map(({ id, deliveryDiagnosis }) => [id, deliveryDiagnosis]));
}

/** What keeps line items from delivering, a sentence each; those that deliver are left out. At most 100 are read. */
export async function loadDiagnosisSentences(
  scope: Scope,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, DiagnosedCause>> {
  const query = `query DeskDiagnoses($ids: [ID!]) { table: lineItemTable(filter: { ids: $ids }, first: 100) {
    nodes { id deliveryDiagnosis { code sentence texts ${DELIVERY_TEXT_FIELDS} } } } }`;
  type Found = DiagnosedCause & Pick<DeliveryDiagnosis, 'code'>;
  type Body = { table: { nodes: readonly { id: string; deliveryDiagnosis: Found }[] } };
  const { table } = await askGraphql<Body>(scope, query, { ids: ids.slice(0, 100) }, signal);
  return new Map(
    table.nodes
      .filter(({ deliveryDiagnosis: { code } }) => !SILENT_CODES.includes(code))
      .map(({ id, deliveryDiagnosis }) => [id, deliveryDiagnosis]),
  );
}

/** Codes that say no more than a row does by itself. */
const SILENT_CODES = ['delivering', 'no_sample', 'unknown', 'behind'];

/** What is selected of fields that are objects. */
const SELECTIONS: Readonly<Record<string, string>> = {
  caps: '{ impressionsPerDay impressionsLifetime clicksPerDay clicksLifetime spendPerDay spendLifetime }',
  frequencyCaps: '{ event count window every }',
  goal: '{ amount kind period }',
  dayParts: '{ days startMinute endMinute }',
  targeting: TARGETING_FIELDS,
};

/** The present values of the fields that a change sets; null for a change that creates something. */
export async function loadBefore(
  scope: Scope,
  { mutation, variables }: Pick<DeliveryChange, 'mutation' | 'variables'>,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | null> {
  if (mutation?.startsWith('update') !== true || variables?.id === undefined) return null;
  const kind = mutation.charAt('update'.length).toLowerCase() + mutation.slice('update'.length + 1);
  const fields = Object.keys(variables.input).map((name) => `${name} ${SELECTIONS[name] ?? ''}`);
  const query = `query DeskBefore($id: ID!) { object: ${kind}(id: $id) { name ${fields.join(' ')} } }`;
  type Body = { object: Readonly<Record<string, unknown>> | null };
  return (await askGraphql<Body>(scope, query, { id: variables.id }, signal)).object;
}

/** Carries out a change. @throws ApiProblem `conflict` when the object has changed since the diagnosis was made */
export async function applyChange(scope: Scope, { document, variables }: DeliveryChange): Promise<void> {
  if (document === null || variables === null)
    throw new ApiProblem({ code: 'invalid_request', message: '', status: 400 });
  await askGraphql(scope, document, { ...variables });
}
