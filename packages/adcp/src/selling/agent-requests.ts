import { createHash } from 'node:crypto';
import { ApiRefusal, type CallApi, runGraphql } from '../api/call-api.ts';
import { AdcpError, renderError } from '../protocol/adcp-error.ts';
import type { PushConfig } from '../protocol/parts.ts';
import type { Payload } from '../protocol/envelope.ts';

/** Members of a request that do not make it another one. */
const NOT_HASHED = new Set(['idempotency_key', 'context', 'adcp_version', 'adcp_major_version']);
/** Members whose values are never stored. */
const SECRETS = new Set(['credentials', 'token', 'authentication']);
/** The state of the first request with a key. */
const RETRY_SECONDS = 5;

/** A request of an agent as the core stores it. */
export interface StoredRequest {
  readonly id: string;
  readonly tool: string;
  readonly advertiserId: string | null;
  readonly campaignId: string | null;
  readonly state: 'RUNNING' | 'SUBMITTED' | 'COMPLETED' | 'REJECTED' | 'FAILED';
  readonly response: Payload | null;
  readonly terms: unknown;
  readonly reason: string | null;
  readonly decidedAt: string | null;
  readonly noticeStatus: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const FIELDS = 'id tool advertiserId campaignId state response terms reason decidedAt noticeStatus createdAt updatedAt';

export const BEGIN = `mutation Begin($input: BeginAgentRequestInput!) {
  beginAgentRequest(input: $input) { beginning agentRequest { ${FIELDS} } }
}`;
export const END = `mutation End($id: ID!, $input: EndAgentRequestInput!) {
  endAgentRequest(id: $id, input: $input) { agentRequest { ${FIELDS} } }
}`;
export const DISCARD = `mutation Discard($id: ID!, $response: JSON!) {
  discardAgentRequest(id: $id, response: $response) { agentRequest { id } }
}`;
export const ONE = `query One($id: ID!) { agentRequest(id: $id) { ${FIELDS} } }`;
export const MANY = `query Many($campaignIds: [ID!], $tools: [String!], $states: [AgentRequestState!], $first: Int, $after: ID) {
  agentRequests(campaignIds: $campaignIds, tools: $tools, states: $states, first: $first, after: $after) { ${FIELDS} }
}`;

interface Begun {
  readonly beginAgentRequest: {
    readonly beginning: 'NEW' | 'REPLAY' | 'CONFLICT' | 'IN_FLIGHT';
    readonly agentRequest: StoredRequest | null;
  };
}

/** What a change did: the response, and what the core is to remember of it. */
export interface Done {
  readonly state: 'COMPLETED' | 'SUBMITTED';
  readonly response: Payload;
  readonly terms?: unknown;
  readonly campaignId?: string;
}

interface Once {
  readonly call: CallApi;
  readonly tool: string;
  readonly accountId: string;
  readonly request: Readonly<Record<string, unknown>> & { readonly idempotency_key: string };
}

/**
 * Makes a change once for its idempotency key: a repetition gets the first response. The core stores what was asked and said. A change that fails is
 * forgotten, so that its key is free.
 *
 * @throws AdcpError `IDEMPOTENCY_CONFLICT` for other arguments, `IDEMPOTENCY_IN_FLIGHT` while the first runs, and what the change throws
 */
export async function once(
  { call, tool, accountId, request }: Once,
  change: (requestId: string) => Promise<Done>,
): Promise<Payload> {
  const input = {
    tool,
    idempotencyKey: request.idempotency_key,
    digest: digestOf(request),
    advertiserId: accountId,
    request: withoutSecrets(request),
    ...noticeOf(request['push_notification_config'] as PushConfig | undefined),
  };
  const { beginAgentRequest: begun } = await begin(call, input);
  const { beginning, agentRequest: stored } = begun;
  if (beginning === 'CONFLICT' || stored === null)
    throw new AdcpError('IDEMPOTENCY_CONFLICT', 'This idempotency key belongs to a request with other arguments.', {
      field: 'idempotency_key',
    });
  if (beginning === 'IN_FLIGHT')
    throw new AdcpError('IDEMPOTENCY_IN_FLIGHT', 'The first request with this key still runs.', {
      retryAfter: RETRY_SECONDS,
    });
  if (beginning === 'REPLAY') return { ...stored.response, replayed: true };
  const done = await runOrDiscard(call, stored.id, change);
  const { state, response, terms = null, campaignId = null } = done;
  await runGraphql(call, {
    query: END,
    variables: { id: stored.id, input: { state, response, terms, campaignId } },
  });
  return response;
}

async function begin(call: CallApi, input: object): Promise<Begun> {
  try {
    return await runGraphql<Begun>(call, { query: BEGIN, variables: { input } });
  } catch (error) {
    const problem =
      error instanceof ApiRefusal ? error.problems.find(({ path }) => path?.startsWith(NOTICE)) : undefined;
    if (problem === undefined) throw error;
    const field = NOTICE_FIELDS[problem.path?.slice(NOTICE.length) ?? ''] ?? 'url';
    throw new AdcpError('INVALID_REQUEST', problem.message, { field: `push_notification_config.${field}` });
  }
}

const NOTICE = 'input.notice.';
/** Fields of a notice as the protocol names them. */
const NOTICE_FIELDS: Readonly<Record<string, string>> = {
  url: 'url',
  credentials: 'authentication.credentials',
  token: 'token',
  operationId: 'operation_id',
};
const SCHEMES = { Bearer: 'BEARER', 'HMAC-SHA256': 'HMAC_SHA256' } as const;

/** The buyer's address for news of a decision, as the core takes it. */
function noticeOf(config: PushConfig | undefined): { readonly notice?: object } {
  if (config === undefined) return {};
  const { url, token, operation_id: operationId, authentication } = config;
  const [scheme] = authentication?.schemes ?? [];
  return {
    notice: {
      url,
      ...(token === undefined ? {} : { token }),
      ...(operationId === undefined ? {} : { operationId }),
      ...(scheme === undefined ? {} : { scheme: SCHEMES[scheme], credentials: authentication?.credentials }),
    },
  };
}

async function runOrDiscard(call: CallApi, id: string, change: (requestId: string) => Promise<Done>): Promise<Done> {
  try {
    return await change(id);
  } catch (error) {
    const response = error instanceof AdcpError ? renderError(error) : { code: 'SERVICE_UNAVAILABLE' };
    await runGraphql(call, { query: DISCARD, variables: { id, response } });
    throw error;
  }
}

/** One stored request; null where the key reaches none with this id. */
export async function findStored(call: CallApi, id: string): Promise<StoredRequest | null> {
  if (!/^\d{1,19}$/.test(id)) return null;
  return (await runGraphql<{ agentRequest: StoredRequest | null }>(call, { query: ONE, variables: { id } }))
    .agentRequest;
}

/** Stored requests, newest first. */
export async function listStored(
  call: CallApi,
  filter: Readonly<Record<string, unknown>>,
): Promise<readonly StoredRequest[]> {
  return (await runGraphql<{ agentRequests: StoredRequest[] }>(call, { query: MANY, variables: filter })).agentRequests;
}

/** The same text for the same request, whatever the order of its members and its secrets. */
function digestOf(request: object): string {
  const counted = Object.fromEntries(Object.entries(request).filter(([name]) => !NOT_HASHED.has(name)));
  return createHash('sha256')
    .update(JSON.stringify(ordered(counted)))
    .digest('base64url');
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, ordered(inner)]);
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !SECRETS.has(name))
      .map(([name, inner]) => [name, withoutSecrets(inner)]),
  );
}
