import { parse } from 'graphql';
import { z } from 'zod';
import { type CallApi, runGraphql, ToolError } from './call-api.ts';
import {
  Change,
  type ChangeContext,
  confirmChange,
  ID_LENGTH_MAX,
  KIND_NAMES,
  listQueryOf,
  proposeChange,
} from './changes.ts';

/** Most rows of a report that an agent reads at once. */
const REPORT_ROWS_MAX = 1_000;
const REPORT_ROWS = 100;
const LIST_MAX = 100;
const LIST_ROWS = 20;

/** What the tools of one caller use. */
export interface ToolContext extends ChangeContext {
  /** The caller's network. */
  readonly networkId: () => Promise<string>;
}

/** One tool: what an agent is told of it, and what it does. */
export interface Tool<Input = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** Whether it can change something; only a confirmed change does. */
  readonly changes?: true;
  readonly run: (context: ToolContext, input: Input) => Promise<object>;
}

const tool = <Input>(row: Tool<Input>): Tool => row as unknown as Tool;

const ME =
  'query Me($network: ID!) { me { actor permission modules environment networkId } network(id: $network) { name currency timezone } }';
const TYPE =
  'query Type($name: String!) { __type(name: $name) { name kind description inputFields { name description defaultValue type { ...ref } } ' +
  'fields { name description type { ...ref } } enumValues { name description } possibleTypes { name } } } ' +
  'fragment ref on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }';
const EXPLAIN = `query Explain($id: ID!) {
  lineItem(id: $id) {
    id name status type level price pricingModel startsAt endsAt goal { kind amount period }
    delivery {
      today { impressions clicks conversions spend } lifetime { impressions clicks conversions spend }
      progress { delivered expected goal percent pacingPercent status }
    }
    deliveryDiagnosis {
      code sentence advice hours opportunities inReach
      numbers { reason opportunities percent }
      rivals { lineItemId name type level opportunities bid }
      changes { code sentence impressions opportunities mutation variables missing }
    }
  }
}`;
const FORECAST = `query Forecast($input: ForecastInput!) {
  forecast(input: $input) {
    impressions possible possibleLow possibleHigh available matched opportunities sampleSize sampledHours notes
    contending { lineItemId name opportunities }
  }
}`;

/** The documents of tools that read one thing. */
export const DOCUMENTS: readonly string[] = [ME, TYPE, EXPLAIN, FORECAST];

const Nothing = z.strictObject({});

/** Every tool. A new one is one row here; docs/mcp.md lists them (a test compares). */
export const TOOLS: readonly Tool[] = [
  tool({
    name: 'who_am_i',
    title: 'Show the account',
    description: 'The network, environment, currency, time zone and rights of the key in use. Start here.',
    input: Nothing,
    run: async ({ call, networkId }) => runGraphql(call, { query: ME, variables: { network: await networkId() } }),
  }),
  tool({
    name: 'list_objects',
    title: 'List booked objects',
    description:
      'Advertisers, campaigns, line items, creatives, inventory and more, page by page, with delivery figures of line items. ' +
      'The filter is the kind’s filter type of the API (describe_type: LineItemFilter, CampaignFilter, …).',
    input: z.strictObject({
      kind: z.enum(KIND_NAMES),
      search: z.string().max(200).optional().describe('Only those whose name holds this text.'),
      filter: z.record(z.string(), z.unknown()).optional(),
      sort: z.strictObject({ field: z.string(), direction: z.enum(['ASC', 'DESC']).optional() }).optional(),
      first: z.int().min(1).max(LIST_MAX).optional().describe(`How many; ${LIST_ROWS} unless given.`),
      after: z.string().optional().describe('endCursor of the page before.'),
    }),
    run: async ({ call }, { kind, search, filter, sort, first = LIST_ROWS, after }) => {
      const narrowed = { ...filter, ...(search === undefined ? {} : { search }) };
      const variables = { filter: narrowed, first, after, sort };
      return (await runGraphql(call, { query: listQueryOf(kind), variables }))['page'] as object;
    },
  }),
  tool({
    name: 'describe_type',
    title: 'Describe a type of the API',
    description:
      'Fields, inputs and values of one GraphQL type: Query for everything that query_graphql can read, CreateLineItemInput for the fields of a new line item.',
    input: z.strictObject({ name: z.string().max(100) }),
    run: async ({ call }, { name }) => {
      const { __type: type } = await runGraphql(call, { query: TYPE, variables: { name } });
      if (type === null) throw new ToolError(`The API has no type named ${name}. Try Query or Mutation.`);
      return describeType(type as IntrospectedType);
    },
  }),
  tool({
    name: 'query_graphql',
    title: 'Read anything',
    description: 'Runs one read-only GraphQL query. Mutations are refused: changes go through propose_change.',
    input: z.strictObject({
      query: z.string().max(20_000),
      variables: z.record(z.string(), z.unknown()).optional(),
    }),
    run: async ({ call }, { query, variables }) => {
      requireReadOnly(query);
      return runGraphql(call, { query, ...(variables === undefined ? {} : { variables }) });
    },
  }),
  tool({
    name: 'describe_reports',
    title: 'List report members',
    description: 'Measures, dimensions and segments that read_report takes, with their types.',
    input: Nothing,
    run: async ({ call, networkId }) => {
      const body = await readJson(call, `/reports/${await networkId()}/v1/meta`);
      return { cubes: (body as { readonly cubes: readonly MetaCube[] }).cubes.map(shortenCube) };
    },
  }),
  tool({
    name: 'read_report',
    title: 'Read a report',
    description:
      'Rows of a report: measures by dimensions over a time range, as a Cube query ({"measures": ["…"], "dimensions": ["…"], ' +
      '"timeDimensions": [{"dimension": "…", "dateRange": "last 7 days", "granularity": "day"}]}). It needs a dateRange. Member names: describe_reports.',
    input: z.strictObject({
      query: z.record(z.string(), z.unknown()),
      rows: z.int().min(1).max(REPORT_ROWS_MAX).optional().describe(`Most rows; ${REPORT_ROWS} unless given.`),
    }),
    run: async ({ call, networkId }, { query, rows = REPORT_ROWS }) => {
      const path = `/reports/${await networkId()}/v1/load`;
      // One more than wanted shows whether there are more.
      const body = { query: { ...query, responseFormat: 'default', limit: rows + 1 }, queryType: 'multi' };
      // Ranges that are compared have a result each, and their rows say which.
      const { results } = (await readJson(call, path, body)) as { readonly results: readonly LoadedResult[] };
      const all = results.flatMap(({ data }) => data);
      return { rows: all.slice(0, rows), hasMore: all.length > rows };
    },
  }),
  tool({
    name: 'explain_delivery',
    title: 'Explain the delivery of a line item',
    description:
      'Why a line item delivers or not: its figures, its progress, the reasons of sampled decisions, who won instead, and the changes that would gain most.',
    input: z.strictObject({ lineItemId: z.string().max(ID_LENGTH_MAX) }),
    run: async ({ call }, { lineItemId }) => {
      const { lineItem } = await runGraphql(call, { query: EXPLAIN, variables: { id: lineItemId } });
      if (lineItem === null)
        throw new ToolError(`There is no line item with the id ${lineItemId} in this environment.`);
      return { lineItem };
    },
  }),
  tool({
    name: 'forecast',
    title: 'Forecast a draft',
    description:
      'What a draft of a line item could get: available and possible impressions with their interval, and contending line items. Input: describe_type ForecastInput.',
    input: z.strictObject({ input: z.record(z.string(), z.unknown()) }),
    run: async ({ call }, variables) => runGraphql(call, { query: FORECAST, variables }),
  }),
  tool({
    name: 'propose_change',
    title: 'Validate a change',
    description:
      'First step of every change: validates it, changes nothing, and returns a confirmation token for ten minutes. Show the change to the person you work for before you confirm it.',
    input: Change,
    run: proposeChange,
  }),
  tool({
    name: 'confirm_change',
    title: 'Make a proposed change',
    description:
      'Second step: makes exactly the change that propose_change returned. Only after the person you work for agreed. The audit log names the agent.',
    input: z.strictObject({ change: Change, confirmationToken: z.string().max(100) }),
    changes: true,
    run: async (context, { change, confirmationToken }) => confirmChange(context, change, confirmationToken),
  }),
];

function requireReadOnly(query: string): void {
  let definitions;
  try {
    ({ definitions } = parse(query, { maxTokens: 5_000 }));
  } catch (error) {
    throw new ToolError(error instanceof Error ? error.message : 'The query cannot be read.');
  }
  const isReadOnly = definitions.every((one) => one.kind !== 'OperationDefinition' || one.operation === 'query');
  if (!isReadOnly) throw new ToolError('This tool only reads. Use propose_change and confirm_change for changes.');
}

interface LoadedResult {
  readonly data: readonly object[];
}

async function readJson(call: CallApi, path: string, body?: object): Promise<unknown> {
  const { status, body: found } = await call(
    body === undefined ? { method: 'GET', path } : { method: 'POST', path, body },
  );
  if (status === 200) {
    // Cube's protocol: a slow query responds at first that it is still running.
    if ((found as { readonly error?: string } | null)?.error === 'Continue wait')
      throw new ToolError('The report is still being computed. Ask for it again in a moment.');
    return found;
  }
  const { message, error } = (found ?? {}) as { readonly message?: string; readonly error?: string };
  throw new ToolError(message ?? error ?? `The API responded with status ${status}.`, found);
}

interface MetaMember {
  readonly name: string;
  readonly shortTitle?: string;
  readonly description?: string;
  readonly type: string;
}

interface MetaCube {
  readonly name: string;
  readonly description?: string;
  readonly measures: readonly MetaMember[];
  readonly dimensions: readonly MetaMember[];
  readonly segments?: readonly MetaMember[];
}

function shortenCube({ name, description, measures, dimensions, segments = [] }: MetaCube): object {
  const short = (members: readonly MetaMember[]) =>
    members.map((one) => ({ name: one.name, type: one.type, description: one.description ?? one.shortTitle }));
  return {
    name,
    description,
    measures: short(measures),
    dimensions: short(dimensions),
    segments: segments.map((one) => one.name),
  };
}

interface TypeRef {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType?: TypeRef | null;
}

interface IntrospectedField {
  readonly name: string;
  readonly description: string | null;
  readonly defaultValue?: string | null;
  readonly type: TypeRef;
}

interface IntrospectedType {
  readonly name: string;
  readonly kind: string;
  readonly description: string | null;
  readonly inputFields: readonly IntrospectedField[] | null;
  readonly fields: readonly IntrospectedField[] | null;
  readonly enumValues: readonly { readonly name: string; readonly description: string | null }[] | null;
  readonly possibleTypes: readonly { readonly name: string }[] | null;
}

function describeType({
  name,
  kind,
  description,
  inputFields,
  fields,
  enumValues,
  possibleTypes,
}: IntrospectedType): object {
  const shown = (inputFields ?? fields)?.map((one) => ({
    name: one.name,
    type: typeText(one.type),
    description: one.description ?? undefined,
    default: one.defaultValue ?? undefined,
  }));
  return {
    name,
    kind,
    description,
    ...(shown === undefined ? {} : { fields: shown }),
    ...(enumValues === null ? {} : { values: enumValues }),
    ...(possibleTypes === null ? {} : { possibleTypes: possibleTypes.map((one) => one.name) }),
  };
}

function typeText({ kind, name, ofType }: TypeRef): string {
  const inner = ofType === null || ofType === undefined ? '' : typeText(ofType);
  if (kind === 'NON_NULL') return `${inner}!`;
  if (kind === 'LIST') return `[${inner}]`;
  return name ?? '';
}
