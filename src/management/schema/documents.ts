import {
  type DocumentNode,
  getOperationAST,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  validate,
} from 'graphql';
import { OPERATIONS } from '../../access/permissions/permissions.ts';
import { PlacardError } from '../../domain/errors.ts';
import { RecentCache } from '../../storage/recent-cache.ts';
import { measureQuery, parseBounded, rootFieldNames } from '../kernel/query-limits.ts';
import { documentInTextForm, type FormedDocument, variablesInTextForm } from '../kernel/text-form.ts';
import { isMadeElsewhere } from './field-costs.ts';
import { nestedTypes } from './nested-kinds.ts';
import { costOf } from './query-cost.ts';

/**
 * The most documents in memory, and the longest of them in characters; longer ones are prepared for each request. A parsed document takes
 * about 80 bytes a character, so all of them take at most some 80 MB.
 */
const DOCUMENTS_MAX = 200;
const CHARACTERS_MAX = 5_000;

/** One operation of a valid document, with what depends on nothing else. */
export interface PreparedOperation {
  readonly document: DocumentNode;
  readonly name: string | null;
  readonly isMutation: boolean;
  readonly rootFields: ReadonlySet<string>;
  /** Its rows of the permission table: the root fields, and the reading of each kind that it selects over a link. */
  readonly permissions: readonly string[];
  /** Whether all of its work is done in threads beside the core's. */
  readonly isElsewhere: boolean;
  /** Levels of fields. */
  readonly depth: number;
  /** @throws PlacardError `query_too_complex` when the cost with these variables is over the limit */
  costWith(variables: Readonly<Record<string, unknown>>): number;
}

/** A document that was parsed. */
export interface PreparedDocument {
  readonly document: DocumentNode;
  /** Variables with their texts in the form in which texts are stored. */
  formVariables(variables: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** The operation of this name; null: the only one. undefined when there is none, or the name is needed. */
  find(operationName: string | null): OperationDefinitionNode | undefined;
  /**
   * Measures the document, then validates it. Returns the operation, or the errors of the validation.
   * @throws PlacardError `query_too_complex` over a limit
   */
  prepare(
    operation: OperationDefinitionNode,
    operationName: string | null,
  ): PreparedOperation | readonly GraphQLError[];
}

/** Documents by their text, so that a client's fixed queries are parsed, measured and validated once. */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #known = new RecentCache<string, PreparedDocument>(DOCUMENTS_MAX);

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /**
   * @throws GraphQLError for a syntax error
   * @throws PlacardError `query_too_complex` for a document over a limit of its text
   */
  read(source: string): PreparedDocument {
    const known = this.#known.get(source);
    if (known !== undefined) return known;
    const made = prepareDocument(this.#schema, documentInTextForm(parseBounded(source)));
    if (source.length <= CHARACTERS_MAX) this.#known.set(source, made);
    return made;
  }
}

function prepareDocument(schema: GraphQLSchema, { document, verbatimVariables }: FormedDocument): PreparedDocument {
  const prepared = new Map<OperationDefinitionNode, PreparedOperation>();
  let errors: readonly GraphQLError[] | null = null;
  return {
    document,
    formVariables: (variables) => variablesInTextForm(variables, verbatimVariables),
    find: (operationName) => getOperationAST(document, operationName) ?? undefined,
    prepare: (operation, operationName) => {
      const known = prepared.get(operation);
      if (known !== undefined) return known;
      const { depth } = measureQuery(document, operationName);
      errors ??= validate(schema, document);
      if (errors.length > 0) return errors;
      const made = prepareOperation(schema, document, operation, depth);
      prepared.set(operation, made);
      return made;
    },
  };
}

function prepareOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  depth: number,
): PreparedOperation {
  const rootFields = rootFieldNames(document, operation);
  const readings = [...nestedTypes(schema, document, operation)].map(
    (type) => `query.${type[0]?.toLowerCase() ?? ''}${type.slice(1)}`,
  );
  const isFixed = (operation.variableDefinitions ?? []).length === 0;
  let fixedCost: number | null = null;
  return {
    document,
    name: operation.name?.value ?? null,
    isMutation: operation.operation === 'mutation',
    rootFields,
    permissions: [
      ...[...rootFields].map((name) => `${operation.operation}.${name}`),
      ...readings.filter((name) => Object.hasOwn(OPERATIONS, name)),
    ],
    isElsewhere: operation.operation === 'query' && [...rootFields].every(isMadeElsewhere),
    depth,
    costWith: (variables) => {
      if (fixedCost !== null) return fixedCost;
      const cost = costOf(schema, document, operation, variables);
      if (isFixed) fixedCost = cost;
      return cost;
    },
  };
}

/** The error of a request whose operation is not known. */
export function unknownOperation(): PlacardError {
  return new PlacardError('invalid_request', 'Could not determine what operation to execute.');
}
