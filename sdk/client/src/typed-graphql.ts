import type { PlacardClient } from './client.ts';
import { type GraphqlProblem, PlacardGraphqlError, PlacardInputError } from './errors.ts';
import type { GraphqlOptions } from './graphql.ts';
import { type Mutation, type Query, SHAPE, type UserError, WITHOUT_USER_ERRORS } from './schema.ts';
import type { ResultOf, Selection } from './selection.ts';

export type * from './schema.ts';
export type { ResultOf, Selection } from './selection.ts';

/** Options of a typed operation; its name is its own. */
export type TypedOptions = Omit<GraphqlOptions, 'operationName'>;

/**
 * Runs a query of the management API with the fields of a selection.
 * @throws PlacardGraphqlError when the response has errors; PlacardInputError for an argument that the field does not have
 */
export async function query<const Choices extends Selection<Query>>(
  client: PlacardClient,
  selection: Choices,
  options: TypedOptions = {},
): Promise<ResultOf<Query, Choices>> {
  const { document, variables } = buildOperation('query', selection);
  return client.graphql<ResultOf<Query, Choices>>(document, variables, options);
}

/**
 * As `query`, for mutations. They are sent again after a failure: each call has an idempotency key, one of its own unless it is given, so
 * that a repeat gets the first response. Mistakes in an input are in `userErrors` where they are selected, and thrown where they are not.
 */
export async function mutate<const Choices extends Selection<Mutation>>(
  client: PlacardClient,
  selection: Choices,
  options: TypedOptions = {},
): Promise<ResultOf<Mutation, Choices>> {
  const { asked, added } = askForUserErrors(selection);
  const { document, variables } = buildOperation('mutation', asked);
  const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
  const data = await client.graphql<Data>(document, variables, { ...options, idempotencyKey });
  const problems = added.flatMap((name) => removeUserErrors(data, name));
  if (problems.length > 0) throw new PlacardGraphqlError(problems, data);
  return data as ResultOf<Mutation, Choices>;
}

type Data = Readonly<Record<string, { userErrors?: readonly UserError[] } | null | undefined>>;

const USER_ERROR: Selection<UserError> = { code: true, field: true, message: true };

/** The selection with `userErrors` in each mutation that has them and was not asked for them, and the names of these mutations. */
function askForUserErrors(selection: object): { readonly asked: object; readonly added: readonly string[] } {
  const added: string[] = [];
  const asked = Object.fromEntries(
    Object.entries(selection as Readonly<Record<string, unknown>>).map(([name, choice]) => {
      const [args, below] = Array.isArray(choice) ? (choice as [unknown, unknown]) : [{}, choice];
      if (WITHOUT_USER_ERRORS.includes(name) || typeof below !== 'object' || below === null) return [name, choice];
      if ('userErrors' in below && below.userErrors) return [name, choice];
      added.push(name);
      return [name, [args, { ...below, userErrors: USER_ERROR }]];
    }),
  );
  return { asked, added };
}

/** The mistakes of one mutation, which leave its data. */
function removeUserErrors(data: Data, name: string): GraphqlProblem[] {
  const payload = data[name];
  if (payload === null || payload === undefined) return [];
  const { userErrors = [] } = payload;
  delete payload.userErrors;
  return userErrors.map(({ code, field, message }) => ({
    message,
    path: [name],
    extensions: { code: code.toLowerCase(), field },
  }));
}

/** A document and its variables. */
export interface Operation {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The operation of a selection: arguments become variables, so that no value is ever part of the text. */
export function buildOperation(kind: 'query' | 'mutation', selection: object): Operation {
  const builder = new Builder();
  const fields = builder.fields(selection, kind === 'query' ? 'Query' : 'Mutation');
  const declared = builder.declared.length === 0 ? '' : ` (${builder.declared.join(', ')})`;
  return { document: `${kind}${declared} ${fields}`, variables: builder.variables };
}

const NAME = /^[A-Za-z_]\w*$/;
/** The types of values nest no deeper in one selection. */
const DEPTH_MAX = 30;

class Builder {
  readonly declared: string[] = [];
  readonly variables: Record<string, unknown> = {};

  /** `type` is '' below fields without arguments. */
  fields(selection: object, type: string, depth = 0): string {
    const parts: string[] = [];
    if (depth > DEPTH_MAX) throw new PlacardInputError(['The selection is nested too deeply.']);
    for (const [name, choice] of Object.entries(selection) as [string, unknown][]) {
      if (choice === false || choice === undefined) continue;
      if (!NAME.test(name)) throw new PlacardInputError([`${JSON.stringify(name)} is not the name of a field.`]);
      if (name.startsWith('on_')) parts.push(this.#member(name.slice(3), choice, depth));
      else parts.push(this.#field(name, choice, { type, depth }));
    }
    if (parts.length === 0) throw new PlacardInputError([`A selection of ${type || 'an object'} has no field.`]);
    return `{ ${parts.join(' ')} }`;
  }

  #member(type: string, choice: unknown, depth: number): string {
    return `__typename ... on ${type} ${this.fields(choice as object, type, depth + 1)}`;
  }

  #field(name: string, choice: unknown, { type, depth }: { type: string; depth: number }): string {
    const [, valueType = '', known = ''] = /^(\w*)\((.*)\)$/.exec(SHAPE[type]?.[name] ?? '') ?? [];
    const [args, below] = (Array.isArray(choice) ? choice : [{}, choice]) as [object, unknown];
    const text = `${name}${this.#arguments(`${type}.${name}`, args, known)}`;
    return below === true ? text : `${text} ${this.fields(below as object, valueType, depth + 1)}`;
  }

  #arguments(field: string, args: object, known: string): string {
    const types = new Map(known.split(',').map((one) => one.split(':') as [string, string]));
    const given = Object.entries(args).filter(([, value]) => value !== undefined);
    const parts = given.map(([name, value]) => {
      const type = types.get(name);
      if (type === undefined) throw new PlacardInputError([`${field} has no argument ${name}.`]);
      const variable = `v${this.declared.length}`;
      this.declared.push(`$${variable}: ${type}`);
      this.variables[variable] = value;
      return `${name}: $${variable}`;
    });
    return parts.length === 0 ? '' : `(${parts.join(', ')})`;
  }
}
