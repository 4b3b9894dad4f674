import { z } from 'zod';
import { ERROR_CODES, ERRORS, type ErrorCode } from '../domain/error-codes.ts';
import { VIDEO_EVENTS } from '../domain/events/ad-links.ts';
import type { Body, Opening, Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { SCHEMAS } from './schemas.ts';

/** A JSON object of the description. */
export type Json = { readonly [member: string]: unknown };

/** The API description (OpenAPI 3.1), as `contract/openapi.json` and `/openapi.json` have it. */
export interface OpenApi extends Json {
  readonly openapi: string;
  readonly info: Json & { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly Json[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Json>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json };
}

const TAGS: Readonly<Record<string, string>> = {
  'Ad decision': 'OpenRTB 2.6 bid requests, from pages and their ad clients.',
  Players: 'VAST and VMAP, for video players.',
  'Ad requests': 'Ads of named ad units, from servers.',
  'Activity events': 'Conversions and other activity, from servers.',
  Tracking: 'Addresses that come with an ad.',
  Management: 'GraphQL.',
  Reports: 'Rows and members of the semantic model.',
  'Report files': 'Finished reports.',
  Uploads: 'Files and audiences.',
  'Bulk jobs': 'Many objects in the background.',
  Agents: 'Tools for agents.',
  Files: 'What pages load.',
  Health: 'For load balancers and monitoring.',
};
const DESCRIPTION =
  'The public REST API. All bodies are JSON in UTF-8 unless another type is named; HTTPS only. ' +
  'Staging workspaces are under the prefix /staging, with keys of their own. Every response has X-Request-Id. ' +
  'Retry 500, 502, 503, 504 and timeouts after 1 s, 2 s, 4 s, three attempts at most; never 400, 401, 403, 404; on 429 wait until reset.';
const LICENSE: Json = { name: 'Apache 2.0', identifier: 'Apache-2.0' };
const SECURITY: Readonly<Record<Opening, readonly Json[]>> = {
  key: [{ bearerKey: [] }],
  credentials: [{ login: [], token: [] }],
  keyOrCredentials: [{ bearerKey: [] }, { login: [], token: [] }],
  none: [],
};
/** Statuses that every address may return; then those of addresses behind a key or credentials. */
const COMMON_ERRORS = [403, 500, 503];
const GUARDED_ERRORS = [401, 403, 429, 500, 503];
const isGuarded = ({ opening }: Operation): boolean => opening !== 'none';
const isManagement = ({ tag }: Operation): boolean => tag === 'Management';
/** Codes that only some addresses return. */
const WHERE: Readonly<Partial<Record<ErrorCode, (operation: Operation) => boolean>>> = {
  insufficient_permissions: isGuarded,
  ip_not_allowed: isGuarded,
  csrf_refused: isManagement,
  verification_required: isManagement,
  network_suspended: isGuarded,
  idempotency_conflict: isManagement,
  report_space_used_up: isManagement,
  query_too_complex: isManagement,
  validation_failed: ({ id, tag }) => tag === 'Management' || id === 'recordEvent',
  unknown_ad_unit: ({ id }) => id === 'requestAds',
  unknown_activity: ({ id }) => id === 'recordEvent',
  unknown_network: ({ path }) => path.startsWith('/{network}'),
  query_timeout: ({ tag }) => tag === 'Reports',
};
const PARAMETERS: Readonly<Record<string, Json>> = {
  network: { description: 'Network id.', schema: { type: 'string', pattern: '^\\d+$' } },
  token: { description: 'Signed token, unchanged.', schema: { type: 'string' } },
  event: { description: 'What happened.', schema: { type: 'string', enum: VIDEO_EVENTS } },
  name: { description: 'Name of the file.', schema: { type: 'string' } },
  id: { description: 'Decimal id of the segment or job.', schema: { type: 'string', pattern: '^\\d+$' } },
};

/** Builds the description from the operations, the schemas, and the error table. Deterministic. `version`: of the package. */
export function buildOpenApi(version: string): OpenApi {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of OPERATIONS) {
    const path = (paths[operation.path] ??= { servers: serversOf(operation), ...pathParameters(operation.path) });
    path[operation.method] = describe(operation);
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Placard', version, description: DESCRIPTION, license: LICENSE },
    // Each path names its own: some are of the core, some of delivery.
    servers: serversOf({ origin: 'both' }),
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        bearerKey: { type: 'http', scheme: 'bearer', description: 'API key (Settings > API Keys).' },
        login: { type: 'apiKey', in: 'header', name: 'x-internal-auth-login' },
        token: { type: 'apiKey', in: 'header', name: 'x-internal-auth-token' },
      },
    },
  };
}

/** Objects are left open, also where more members are refused today: there may be more tomorrow. */
function componentSchemas(): Record<string, Json> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) jsonSchema.additionalProperties = {};
      // A tuple has no more members than it names; linters want that said.
      if (jsonSchema.prefixItems !== undefined) jsonSchema.items = { not: {} };
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema as Json]),
  );
}

function serversOf({ origin, once }: Pick<Operation, 'origin' | 'once'>): Json[] {
  const hosts = origin === 'both' ? ['core', 'delivery'] : [origin];
  return hosts.flatMap((host) => {
    const address = { default: host === 'core' ? 'localhost:8443' : 'localhost:8444', description: `Host of ${host}.` };
    const server = (prefix: string, description: string): Json => ({
      url: `https://{${host}}${prefix}`,
      description,
      variables: { [host]: address },
    });
    return once === true
      ? [server('', host)]
      : [server('', `${host}, production`), server('/staging', `${host}, staging`)];
  });
}

function pathParameters(path: string): Json {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  if (names.length === 0) return {};
  return { parameters: names.map((name) => ({ name, in: 'path', required: true, ...PARAMETERS[name] })) };
}

function describe(operation: Operation): Json {
  const { id, tag, summary, details, opening, request, deprecated } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(details === undefined ? {} : { description: details }),
    ...(deprecated === true ? { deprecated: true } : {}),
    security: SECURITY[opening],
    ...parametersOf(operation),
    ...(request === undefined ? {} : { requestBody: { required: true, content: contentOf(request) } }),
    responses: { ...successResponses(operation), ...errorResponses(operation) },
  };
}

function parametersOf({ address, query = {}, headers = {} }: Operation): Json {
  const parameters = [
    ...(address === undefined ? [] : addressParameters(address)),
    ...Object.entries(query).map(queryParameter),
    ...Object.entries(headers).map(([name, description]) => {
      return { name, in: 'header', required: false, description, schema: { type: 'string' } };
    }),
  ];
  return parameters.length === 0 ? {} : { parameters };
}

function queryParameter([name, description]: [string, string]): Json {
  const required = name.endsWith('!');
  return { name: name.replace('!', ''), in: 'query', required, description, schema: { type: 'string' } };
}

/** Query parameters as the schema has them that checks them. */
function addressParameters(address: z.ZodObject): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(address, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as Json;
    return { name, in: 'query', required: required.includes(name), description, schema };
  });
}

function contentOf(body: Body | readonly Body[]): Json {
  if (isList(body)) return Object.assign({}, ...body.map(contentOf)) as Json;
  if ('type' in body) return { [body.type]: { schema: {} } };
  return { 'application/json': { schema: { $ref: `#/components/schemas/${body.schema}` } } };
}

function isList(body: Body | readonly Body[]): body is readonly Body[] {
  return Array.isArray(body);
}

function successResponses({ responses, opening }: Operation): Json {
  const headers = { ...header('X-Request-Id', 'string'), ...(opening === 'none' ? {} : LIMIT_HEADERS) };
  return Object.fromEntries(
    Object.entries(responses).map(([status, { means, body, headers: own = {} }]) => [
      status,
      {
        description: means,
        headers: { ...headers, ...ownHeaders(own) },
        ...(body === undefined ? {} : { content: contentOf(body) }),
      },
    ]),
  );
}

function ownHeaders(own: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(own).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

/** Which codes a status may mean, from the one table that gives codes their status. */
function errorResponses(operation: Operation): Json {
  const { errors, opening, tag, responses } = operation;
  const statuses = new Set([...(opening === 'none' ? COMMON_ERRORS : GUARDED_ERRORS), ...errors]);
  const schema = tag === 'Reports' ? ['ErrorBody', 'ReportError'] : ['ErrorBody'];
  const refs = schema.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const content = { 'application/json': { schema: refs.length === 1 ? refs[0] : { anyOf: refs } } };
  return Object.fromEntries(
    [...statuses]
      .filter((status) => responses[status] === undefined)
      .sort((a, b) => a - b)
      .map((status) => [status, { description: codesOf(status, operation), headers: errorHeaders(status), content }]),
  );
}

function codesOf(status: number, operation: Operation): string {
  const codes = ERROR_CODES.filter((code) => ERRORS[code].status === status);
  const possible = codes.filter((code) => WHERE[code]?.(operation) ?? true);
  return possible.map((code) => `${code}: ${ERRORS[code].message}`).join(' · ');
}

function header(name: string, type: string): Json {
  return { [name]: { schema: { type } } };
}

/** Those that may come back to life say when to ask again. */
function errorHeaders(status: number): Json {
  return { ...header('X-Request-Id', 'string'), ...(RETRIED.includes(status) ? header('Retry-After', 'integer') : {}) };
}

const RETRIED: readonly number[] = [429, 503, 504];
const LIMIT_HEADERS: Json = {
  ...header('X-RateLimit-Limit', 'integer'),
  ...header('X-RateLimit-Remaining', 'integer'),
  ...header('X-RateLimit-Reset', 'integer'),
};
