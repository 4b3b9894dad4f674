import { createHash } from 'node:crypto';
import { execute, type GraphQLError, type GraphQLSchema } from 'graphql';
import { requirePermission } from '../../access/permissions/permissions.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { ManagementContext } from '../kernel/context.ts';
import { refuseRequest, toGraphQLError } from '../kernel/error-format.ts';
import { requireStanding } from '../kernel/network-standing.sql.ts';
import { QUERY_LIMITS } from '../kernel/query-limits.ts';
import { queryableOf } from '../kernel/transactions.sql.ts';
import { refuseBuyerFields } from './buyer-fields.ts';
import { CostAdmission } from './cost-admission.ts';
import { deprecationOf } from './deprecation.ts';
import { Documents, type PreparedOperation, unknownOperation } from './documents.ts';
import type { EngineRequest, EngineResponse } from './engine-request.ts';
import { type ExecutionOutcome, executeOnce } from './idempotency.ts';
import { readRequestParameters } from './request-parameters.ts';
import { writeJson } from './sliced-json.ts';
import { refuseUnstorableTexts } from './stored-texts.ts';
import { shapeResponse } from './wire-response.ts';
import { WorkSlices } from '../../domain/time/work-slices.ts';

/** The most errors in one response. */
const ERRORS_MAX = 100;
/** Shares the event loop between the responses that this process writes. */
const slices = new WorkSlices();

/** The GraphQL engine: limits, permissions and error shapes around the schema. It is independent of HTTP. */
export interface Engine {
  /** Runs one request. Every failure is a response; the promise never rejects. */
  run(request: EngineRequest): Promise<EngineResponse>;
}

/** What one request came to, before its errors have their shapes. */
interface Outcome {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Headers that tell of deprecated fields. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The variables of a request whose operation is prepared. */
interface Call {
  readonly schema: GraphQLSchema;
  readonly operation: PreparedOperation;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly cost: number;
}

/** Builds an engine. `admission` decides when an expensive query may start; a bench passes its own. */
export function createEngine(schema: GraphQLSchema, admission = new CostAdmission()): Engine {
  const documents = new Documents(schema);
  return {
    run: async (request) => {
      let outcome: Outcome;
      try {
        outcome = await runRequest(schema, { documents, admission }, request);
      } catch (error) {
        outcome = { errors: [error] };
      }
      return writeResponse(outcome, request.management, request.accept ?? null);
    },
  };
}

interface Parts {
  readonly documents: Documents;
  readonly admission: CostAdmission;
}

async function runRequest(schema: GraphQLSchema, parts: Parts, request: EngineRequest): Promise<Outcome> {
  const { management } = request;
  const { query, operationName, ...given } = readRequestParameters(request.body);
  const found = parts.documents.read(query);
  const variables = found.formVariables(given.variables);
  const definition = found.find(operationName);
  if (definition === undefined) throw unknownOperation();
  if (definition.operation === 'mutation' && request.isReadOnly === true)
    throw new PlacardError('invalid_request', 'Can only perform a mutation operation from a POST request.');
  let operation: PreparedOperation | readonly GraphQLError[];
  try {
    refuseUnstorableTexts(found.document, variables);
    operation = found.prepare(definition, operationName);
  } catch (error) {
    return refusal(error, management);
  }
  if (Array.isArray(operation)) return { errors: operation as readonly GraphQLError[] };
  const prepared = operation as PreparedOperation;
  const outcome = await runPermitted(parts.admission, request, {
    schema,
    operation: prepared,
    operationName,
    variables,
  });
  const headers = deprecationOf(prepared.rootFields, management.principal);
  return headers === null ? outcome : { ...outcome, headers };
}

/** Checks permissions and, for mutations, whether the network is suspended. */
async function runPermitted(
  admission: CostAdmission,
  request: EngineRequest,
  call: Omit<Call, 'cost'>,
): Promise<Outcome> {
  const { management } = request;
  const { isMutation, permissions } = call.operation;
  try {
    for (const permission of permissions) requirePermission(management.caller, permission);
    if (management.caller.buyer !== undefined) refuseBuyerFields(call.schema, call.operation.document);
    if (isMutation) {
      await requireStanding(queryableOf(management), management.principal.networkId);
      management.budget.beginMutation();
    }
  } catch (error) {
    return refusal(error, management);
  }
  return runOperation(admission, request, call);
}

/** Checks the cost, and executes when the network may run the operation. */
async function runOperation(
  admission: CostAdmission,
  request: EngineRequest,
  { schema, operation, operationName, variables }: Omit<Call, 'cost'>,
): Promise<Outcome> {
  const { management } = request;
  let leave: () => void;
  let cost: number;
  try {
    cost = operation.costWith(variables);
    management.use.cost = cost;
    leave = await admission.enter(management.principal.networkId, {
      cost,
      isElsewhere: operation.isElsewhere,
      signal: management.signal,
    });
  } catch (error) {
    return refusal(error, management);
  }
  try {
    return await runAdmitted(request, { schema, operation, operationName, variables, cost });
  } finally {
    leave();
  }
}

/** Executes an operation; a mutation with an idempotency key as one transaction with its outcome. */
async function runAdmitted(request: EngineRequest, call: Call): Promise<Outcome> {
  const { management, idempotencyKey } = request;
  const { schema, operation, operationName, variables, cost } = call;
  const run = async (): Promise<ExecutionOutcome> =>
    execute({
      schema,
      document: operation.document,
      contextValue: management,
      variableValues: variables,
      operationName,
    });
  const execution = { ...operation, operationName, variables, version: management.version };
  const outcome = await (operation.isMutation && idempotencyKey !== null
    ? executeOnce(management, ownKey(management, idempotencyKey), execution, run)
    : run());
  const { exceeded } = management.budget;
  // A mutation has its error at the field that was stopped: the fields before took effect.
  if (exceeded !== null && !operation.isMutation) return refusal(exceeded, management);
  if (outcome.data === undefined) return outcome;
  const shown = { requested: cost, limit: QUERY_LIMITS.costMax, depth: operation.depth };
  return { ...outcome, extensions: { ...outcome.extensions, cost: shown } };
}

/** Buyers share a workspace with others: the key of one's request is not that of another's. */
function ownKey({ caller }: ManagementContext, key: string): string {
  // A key that is not well-formed is refused as it is.
  if (caller.buyer === undefined || !/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  return `buyer-${createHash('sha256').update(`${caller.id} ${key}`).digest('hex')}`;
}

/** The outcome of a request that is refused as a whole. */
function refusal(error: unknown, { requestId }: ManagementContext): Outcome {
  return { errors: [refuseRequest(error, requestId)] };
}

/** Writes a response. A response over the limit becomes an error; for a mutation the error says that its changes took effect. */
async function writeResponse(
  outcome: Outcome,
  { requestId, log, principal, budget }: ManagementContext,
  accept: string | null,
): Promise<EngineResponse> {
  const { headers: more = {}, errors: failures, ...result } = outcome;
  const errors = failures?.slice(0, ERRORS_MAX).map((error) => toGraphQLError(error, requestId, log));
  const turn = (): Promise<void> | undefined => slices.turn(principal.networkId);
  const { status, headers, body } = shapeResponse(errors === undefined ? result : { ...result, errors }, accept);
  try {
    return { status, headers: { ...headers, ...more }, body: await writeJson(body, turn) };
  } catch (error) {
    const changed = new PlacardError(
      'query_too_complex',
      'The changes are made, but the response is too long: select less.',
    );
    const refused = shapeResponse(
      budget.isMutation
        ? { data: null, errors: [toGraphQLError(changed, requestId, log)] }
        : { errors: [refuseRequest(error, requestId)] },
      accept,
    );
    return { ...refused, headers: { ...refused.headers, ...more }, body: await writeJson(refused.body, turn) };
  }
}
