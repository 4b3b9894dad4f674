import { type DocumentNode, getOperationAST, type GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin, type YogaInitialContext, type YogaServerInstance } from 'graphql-yoga';
import { OPERATIONS, requirePermission } from '../../access/permissions.ts';
import { PlacardError } from '../../domain/errors.ts';
import { findNetwork } from '../network/network.sql.ts';
import { readerOf } from '../noun/transactions.sql.ts';
import { deprecateReportTasks } from '../report/deprecation.ts';
import { type EngineResult, writeAnswer } from './answer.ts';
import type { ManagementContext } from './context.ts';
import { refuseRequest, toGraphQLError } from './error-format.ts';
import { type ExecutionAnswer, executeOnce } from './idempotency.ts';
import { nestedTypes } from './nested-kinds.ts';
import { measureQuery, parseBounded, QUERY_LIMITS, type QueryMeasure, rootFieldNames } from './query-limits.ts';
import { refuseUnstorableTexts } from './stored-texts.ts';

/** What the HTTP side hands to the engine with each request; the resolvers get all of it as their context. */
export interface EngineRequest {
  readonly management: ManagementContext;
  /** The body, already parsed and bounded; undefined for GET. */
  readonly body: unknown;
  readonly idempotencyKey: string | null;
}

type EngineContext = YogaInitialContext & EngineRequest & ManagementContext;

/** What was measured of each request's document, for the answer's `extensions.cost`. */
const measures = new WeakMap<object, QueryMeasure>();
/** What the rules of GraphQL say of each document; documents themselves are kept by their text. */
const validations = new WeakMap<DocumentNode, readonly GraphQLError[]>();
type Engine = YogaServerInstance<EngineRequest, ManagementContext>;

/** The GraphQL engine: limits, permissions and error shapes around the schema. It knows nothing of sockets. */
export function createEngine(schema: GraphQLSchema): Engine {
  return createYoga<EngineRequest, ManagementContext>({
    schema,
    graphiql: false,
    landingPage: false,
    logging: false,
    cors: false,
    batching: false,
    multipart: false,
    maskedErrors: false,
    // Its cache of validations would keep refusals that depend on variables.
    parserAndValidationCache: { validationCache: false },
    context: ({ management }) => management,
    plugins: [requestParsing(), queryLimits(), deprecateReportTasks(), permissions(), idempotency(), errorShapes()],
  });
}

/** The HTTP side has parsed the body already. */
function requestParsing(): Plugin<EngineRequest, EngineRequest> {
  return {
    onRequestParse: ({ request, serverContext, setRequestParser }) => {
      if (request.method === 'POST') setRequestParser(() => serverContext.body as never);
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
        const measure = measureQuery(params.documentAST as DocumentNode, variables ?? {}, operationName ?? null);
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

/** Each root field is an operation of the permission table, and so is reading a kind over a link; a suspended network takes no mutation. */
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
  const network = await findNetwork(readerOf(context), context.principal.networkId);
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
          async () => (await executeFn(given)) as ExecutionAnswer,
        );
      });
    },
  };
}

function errorShapes(): Plugin<EngineContext, EngineRequest> {
  return {
    onExecute: () => ({
      onExecuteDone: ({ args, result, setResult }) => {
        const measure = measures.get(args.contextValue as EngineContext);
        const plain = result as EngineResult;
        if (measure === undefined || plain.data === undefined) return;
        const cost = { requested: measure.cost, limit: QUERY_LIMITS.costMax, depth: measure.depth };
        setResult({ ...plain, extensions: { ...plain.extensions, cost } } as never);
      },
    }),
    onResultProcess: (payload) => {
      const result = payload.result as EngineResult;
      const { requestId, log } = payload.serverContext.management;
      const errors = result.errors?.map((error) => toGraphQLError(error, requestId, log));
      const answer = writeAnswer(
        errors === undefined ? result : { ...result, errors },
        payload.request.headers.get('accept'),
      );
      payload.setResultProcessor((_result, fetchApi) => new fetchApi.Response(answer.body, answer), 'application/json');
    },
  };
}
