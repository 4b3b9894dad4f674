import { askGraphql } from '../../transport/graphql.ts';
import type { Scope } from '../../transport/scope.ts';
import type { DeliveryStatus, Goal, PricingModel } from '../desk-list.ts';
import { loadNames, nameKey } from '../names.ts';

/** States of requests, as the schema names them. */
export type AgentRequestState = 'RUNNING' | 'SUBMITTED' | 'COMPLETED' | 'REJECTED' | 'FAILED';

/** A request of a buyer's agent, as lists show it. What the agent and its credential wrote is a stranger's text. */
export interface AgentRequest {
  readonly id: string;
  readonly caller: string;
  readonly agent: string;
  readonly tool: string;
  readonly advertiserId: string | null;
  readonly advertiserName: string | null;
  readonly campaignId: string | null;
  readonly state: AgentRequestState;
  readonly response: unknown;
  readonly reason: string | null;
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
  readonly createdAt: string;
}

/** A line item that a request booked. */
export interface BookedPackage {
  readonly id: string;
  readonly externalId: string | null;
  readonly name: string;
  readonly status: DeliveryStatus;
  readonly version: number;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly timezone: string | null;
  readonly price: string;
  readonly pricingModel: PricingModel;
  readonly budget: string | null;
  readonly goal: Goal | null;
  readonly advertisingProduct: { readonly name: string } | null;
}

/** The campaign of a request, as it is now. */
export interface AgentBooking {
  readonly id: string;
  readonly name: string;
  readonly status: DeliveryStatus;
  readonly version: number;
  readonly lineItems: { readonly nodes: readonly BookedPackage[] };
}

/** A request with its arguments and its booking. */
export interface AgentRequestDetails extends AgentRequest {
  readonly request: unknown;
  readonly booking: AgentBooking | null;
  /** Names of the products that its arguments name, by id. */
  readonly products: ReadonlyMap<string, string>;
}

/** A decision to approve: what goes live, as it was shown, and what the agent wants to begin paused. */
export interface ApprovalPlan {
  readonly campaign: { readonly id: string; readonly version: number; readonly isPaused: boolean };
  readonly items: readonly { readonly id: string; readonly version: number; readonly isPaused: boolean }[];
}

/** Packages of one buy at most. */
const PACKAGES_MAX = 50;
const FIELDS = 'id caller agent tool advertiserId campaignId state response reason decidedBy decidedAt createdAt';
const LIST = `query AgentRequests($states: [AgentRequestState!], $first: Int!, $after: ID) {
  agentRequests(states: $states, first: $first, after: $after) { ${FIELDS} } }`;
const ONE = `query AgentRequest($id: ID!) { agentRequest(id: $id) { ${FIELDS} request } }`;
const BOOKING = `query AgentBooking($id: ID!) { campaign(id: $id) { id name status version
  lineItems(first: ${PACKAGES_MAX}) { nodes { id externalId name status version startsAt endsAt timezone price pricingModel budget
    goal { amount kind period } advertisingProduct { name } } } } }`;
const START = `mutation AgentStart($input: SaveCampaignInput!) { saveCampaign(input: $input) { campaign { id } } }`;
const APPROVE = `mutation AgentApprove($id: ID!) {
  decideAgentRequest(id: $id, decision: APPROVE) { agentRequest { state } } }`;
const REJECT = `mutation AgentReject($id: ID!, $reason: String!) {
  decideAgentRequest(id: $id, decision: REJECT, reason: $reason) { agentRequest { state } } }`;

type Stored = Omit<AgentRequest, 'advertiserName'>;

interface ListQuery {
  /** Absent: all states. */
  readonly states?: readonly AgentRequestState[];
  readonly first: number;
  readonly after?: string | null;
}

/** Requests of buyers' agents, newest first, with the names of their advertisers. */
export async function loadAgentRequests(
  scope: Scope,
  { states, first, after = null }: ListQuery,
  signal: AbortSignal,
): Promise<readonly AgentRequest[]> {
  const variables = { states: states ?? null, first, after };
  const { agentRequests } = await askGraphql<{ agentRequests: readonly Stored[] }>(scope, LIST, variables, signal);
  const ids = new Set(agentRequests.flatMap(({ advertiserId: id }) => (id === null ? [] : [id])));
  const names = await loadNames(scope, { advertisers: [...ids] }, signal);
  return agentRequests.map((one) => withAdvertiser(one, names));
}

/** One request with its booking; null: there is no such request. */
export async function loadAgentRequest(
  scope: Scope,
  id: string,
  productIdsOf: (request: unknown) => readonly string[],
  signal: AbortSignal,
): Promise<AgentRequestDetails | null> {
  type Body = { readonly agentRequest: (Stored & { readonly request: unknown }) | null };
  const { agentRequest: stored } = await askGraphql<Body>(scope, ONE, { id }, signal);
  if (stored === null) return null;
  const products = productIdsOf(stored.request);
  const advertisers = stored.advertiserId === null ? [] : [stored.advertiserId];
  const [names, { campaign }] = await Promise.all([
    loadNames(scope, { advertisers, advertisingProducts: products }, signal),
    stored.campaignId === null
      ? { campaign: null }
      : askGraphql<{ campaign: AgentBooking | null }>(scope, BOOKING, { id: stored.campaignId }, signal),
  ]);
  return {
    ...withAdvertiser(stored, names),
    request: stored.request,
    booking: campaign,
    products: new Map(
      products.flatMap((one) => {
        const name = names.get(nameKey('advertisingProducts', one));
        return name === undefined ? [] : [[one, name] as const];
      }),
    ),
  };
}

function withAdvertiser<T extends Stored>(stored: T, names: ReadonlyMap<string, string>) {
  const { advertiserId: id } = stored;
  return { ...stored, advertiserName: id === null ? null : (names.get(nameKey('advertisers', id)) ?? null) };
}

/**
 * Makes a booking live as it was shown, all of it or nothing, and then says so to its agent. Where only the first of both happens, approving again does the second.
 *
 * @throws ApiProblem `conflict` where the booking changed meanwhile
 */
export async function approveAgentRequest(scope: Scope, id: string, { campaign, items }: ApprovalPlan): Promise<void> {
  const { isPaused, ...seen } = campaign;
  await askGraphql(scope, START, {
    input: {
      ...seen,
      status: 'ACTIVE',
      lineItems: items.map((item) => ({ id: item.id, version: item.version, status: 'ACTIVE' })),
    },
  });
  await askGraphql(scope, APPROVE, { id });
  const paused = items.filter((item) => item.isPaused).map((item) => ({ id: item.id, status: 'PAUSED' }));
  if (!isPaused && paused.length === 0) return;
  await askGraphql(scope, START, {
    input: { id: seen.id, ...(isPaused ? { status: 'PAUSED' } : {}), lineItems: paused },
  });
}

/** Rejects a request; its agent reads the reason. */
export async function rejectAgentRequest(scope: Scope, id: string, reason: string): Promise<void> {
  await askGraphql(scope, REJECT, { id, reason });
}
