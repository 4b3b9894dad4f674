import { type DocumentNode, getOperationAST, type GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin, type YogaInitialContext, type YogaServerInstance } from 'graphql-yoga';
import { OPERATIONS, requirePermission } from '../../access/permissions/permissions.ts';
import { PlacardError } from '../../domain/errors.ts';
import { findNetwork } from '../resources/network/network.sql.ts';
import { queryableOf } from '../kernel/transactions.sql.ts';
import { deprecateReportTasks } from './deprecation.ts';
import type { EngineRequest } from './engine-request.ts';
import { type EngineResult, shapeResponse } from './wire-response.ts';
import type { ManagementContext } from '../kernel/context.ts';
import { CostAdmission } from './cost-admission.ts';
import { refuseRequest, toGraphQLError } from '../kernel/error-format.ts';
import { type ExecutionOutcome, executeOnce } from './idempotency.ts';
import { nestedTypes } from './nested-kinds.ts';
import { paceSchema } from './paced-schema.ts';
import { costOf } from './query-cost.ts';
import { measureQuery, parseBounded, QUERY_LIMITS, type QueryMeasure, rootFieldNames } from '../kernel/query-limits.ts';
import { writeJson } from './sliced-json.ts';
import { refuseUnstorableTexts } from './stored-texts.ts';
import { WorkSlices } from './work-slices.ts';

type EngineContext = YogaInitialContext & EngineRequest & ManagementContext;

/** The measures of each request's document, for `extensions.cost` of the response. */
const measures = new WeakMap<object, QueryMeasure>();
const costs = new WeakMap<object, number>();
/** The most errors in one response. */
const ERRORS_MAX = 100;
/** Shares the event loop between the requests of this process. All engines use this one: they share a schema. */
const slices = new WorkSlices();
const paced = new WeakSet<GraphQLSchema>();
/** The results of validation by document; documents themselves are cached by their text. */
const validations = new WeakMap<DocumentNode, readonly GraphQLError[]>();
type Engine = YogaServerInstance<EngineRequest, ManagementContext>;

/** The GraphQL engine: limits, permissions and error shapes around the schema. It is independent of HTTP. */
export function createEngine(schema: GraphQLSchema): Engine {
  if (!paced.has(schema)) paceSchema(schema, slices);
  paced.add(schema);
  return createYoga<EngineRequest, ManagementContext>({
    schema,
    graphiql: false,
    landingPage: false,
    logging: false,
    cors: false,
    batching: false,
    multipart: false,
    maskedErrors: false,
    // Yoga's cache of validations would retain refusals that depend on variables.
    parserAndValidationCache: { validationCache: false },
    context: ({ management }) => management,
    plugins: [
      requestParsing(),
      queryLimits(),
      deprecateReportTasks(),
      permissions(),
      idempotency(),
      costLimit(),
      errorShapes(),
    ],
  });
}

/** Passes on the request that the HTTP layer has parsed. */
function requestParsing(): Plugin<EngineRequest, EngineRequest> {
  return {
    onRequestParse: ({ serverContext, setRequestParser }) => {
      setRequestParser(() => serverContext.body as never);
    },
  };
}

function queryLimits(): Plugin<EngineContext> {
  return {
    onParse: ({ setParseFn }) => {
      setParseFn((source: string | { body: string }) =>
        parseBounded(typeof source === 'string' ? source : source.body),
      );
    },
    onValidate: ({ params, context, setResult, validateFn, setValidationFn }) => {
      const { variables, operationName } = context.params;
      try {
        const measure = measureQuery(params.documentAST as DocumentNode, operationName ?? null);
        measures.set(context, measure);
        refuseUnstorableTexts(params.documentAST as DocumentNode, variables ?? {});
      } catch (error) {
        setResult([refuseRequest(error, context.requestId)]);
        return;
      }
      setValidationFn((schema, document, ...more) => {
        const known = validations.get(document);
        if (known !== undefined) return known;
        const errors = validateFn(schema, document, ...more);
        validations.set(document, errors);
        return errors;
      });
    },
  };
}

/** Each root field is an operation of the permission table, and so is reading a kind over a link; a suspended network allows no mutation. */
function permissions(): Plugin<EngineContext> {
  return {
    onExecute: async ({ args, setResultAndStopExecution }) => {
      const context = args.contextValue as EngineContext;
      const document = args.document as DocumentNode;
      const operation = getOperationAST(document, args.operationName);
      if (!operation) return;
      try {
        for (const name of rootFieldNames(document, operation))
          requirePermission(context.caller, `${operation.operation}.${name}`);
        for (const type of nestedTypes(args.schema, document, operation)) {
          const reading = `query.${type[0]?.toLowerCase()}${type.slice(1)}`;
          if (Object.hasOwn(OPERATIONS, reading)) requirePermission(context.caller, reading);
        }
        if (operation.operation === 'mutation') await refuseWhenSuspended(context);
      } catch (error) {
        setResultAndStopExecution({ errors: [refuseRequest(error, context.requestId)] });
      }
    },
  };
}

async function refuseWhenSuspended(context: ManagementContext): Promise<void> {
  const network = await findNetwork(queryableOf(context), context.principal.networkId);
  if (network?.status === 'SUSPENDED') throw new PlacardError('network_suspended');
}

function idempotency(): Plugin<EngineContext> {
  return {
    onExecute: ({ args, executeFn, setExecuteFn }) => {
      const document = args.document as DocumentNode;
      const operation = getOperationAST(document, args.operationName);
      const isMutation = operation?.operation === 'mutation';
      const context = args.contextValue as EngineContext;
      if (!isMutation || context.idempotencyKey === null) return;
      setExecuteFn((given) => {
        const execution = {
          document,
          operationName: args.operationName ?? null,
          variables: args.variableValues as unknown,
          isMutation,
          rootFields: operation ? rootFieldNames(document, operation) : new Set<string>(),
        };
        return executeOnce(
          context,
          context.idempotencyKey,
          execution,
          async () => (await executeFn(given)) as ExecutionOutcome,
        );
      });
    },
  };
}

/** Computes the cost of an operation, refuses it over the limit, and admits it when its network may run it. Wraps the transaction of an idempotency key. */
function costLimit(): Plugin<EngineContext> {
  const admission = new CostAdmission();
  return {
    onExecute: ({ args, executeFn, setExecuteFn, setResultAndStopExecution }) => {
      const context = args.contextValue as EngineContext;
      const document = args.document as DocumentNode;
      const operation = getOperationAST(document, args.operationName);
      if (!operation) return;
      if (operation.operation === 'mutation') context.budget.beginMutation();
      try {
        const variables = (args.variableValues ?? {}) as Readonly<Record<string, unknown>>;
        costs.set(context, costOf(args.schema, document, operation, variables));
      } catch (error) {
        setResultAndStopExecution({ errors: [refuseRequest(error, context.requestId)] });
        return;
      }
      setExecuteFn(async (given) => {
        let leave: () => void;
        try {
          leave = await admission.enter(context.principal.networkId, costs.get(context) ?? 0);
        } catch (error) {
          return { errors: [refuseRequest(error, context.requestId)] };
        }
        try {
          return (await executeFn(given)) as never;
        } finally {
          leave();
        }
      });
    },
  };
}

function errorShapes(): Plugin<EngineContext, EngineRequest> {
  return {
    onExecute: () => ({
      onExecuteDone: ({ args, result, setResult }) => {
        const context = args.contextValue as EngineContext;
        const measure = measures.get(context);
        const requested = costs.get(context);
        const plain = result as EngineResult;
        if (context.budget.exceeded !== null) {
          setResult({ errors: [refuseRequest(context.budget.exceeded, context.requestId)] } as never);
          return;
        }
        if (measure === undefined || requested === undefined || plain.data === undefined) return;
        const cost = { requested, limit: QUERY_LIMITS.costMax, depth: measure.depth };
        setResult({ ...plain, extensions: { ...plain.extensions, cost } } as never);
      },
    }),
    onResultProcess: (payload) => {
      const { management } = payload.serverContext;
      const accept = payload.request.headers.get('accept');
      payload.setResultProcessor(async (result, fetchApi) => {
        const response = await writeResponse(result as EngineResult, management, accept);
        return new fetchApi.Response(response.body, response);
      }, 'application/json');
    },
  };
}

interface WrittenResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Writes a response. A response over the limit becomes an error; for a mutation the error says that its changes took effect. */
async function writeResponse(
  result: EngineResult,
  { requestId, log, principal, budget }: ManagementContext,
  accept: string | null,
): Promise<WrittenResponse> {
  const errors = result.errors?.slice(0, ERRORS_MAX).map((error) => toGraphQLError(error, requestId, log));
  const turn = (): Promise<void> | undefined => slices.turn(principal.networkId);
  const response = shapeResponse(errors === undefined ? result : { ...result, errors }, accept);
  try {
    return { ...response, body: await writeJson(response.body, turn) };
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
    return { ...refused, body: await writeJson(refused.body, turn) };
  }
}
