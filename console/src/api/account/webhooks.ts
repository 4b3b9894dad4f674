import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';

export type WebhookStatus = 'ACTIVE' | 'PAUSED';
export type WebhookDeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED';

/** An address that is told of changes. Instants are ISO 8601. */
export interface Webhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** `*`, a kind such as `lineItem.*`, or a single type such as `lineItem.update`. */
  readonly types: readonly string[];
  readonly status: WebhookStatus;
  readonly failingSince: string | null;
  readonly version: number;
  readonly createdAt: string;
}

/** A message to a webhook, with the outcome of its tries. */
export interface WebhookDelivery {
  readonly id: string;
  /** The number of its change in the feed; null for a test. */
  readonly sequence: string | null;
  readonly type: string;
  readonly status: WebhookDeliveryStatus;
  readonly attempts: number;
  /** Of the last try; null when there was no response. */
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly createdAt: string;
  readonly triedAt: string | null;
  readonly nextAttemptAt: string | null;
}

/** The fields of a webhook that a form sets. */
export interface WebhookForm {
  readonly name: string;
  readonly url: string;
  readonly types: readonly string[];
}

const WEBHOOK = 'id name url types status failingSince version createdAt';
const DELIVERY = 'id sequence type status attempts responseStatus error createdAt triedAt nextAttemptAt';
/** Deliveries of a page of the list. */
const PAGE = 50;

/** All of the environment, by name. */
export async function listWebhooks(scope: Scope, signal: AbortSignal): Promise<readonly Webhook[]> {
  const query = `query ConsoleWebhooks { webhooks { ${WEBHOOK} } }`;
  return (await askGraphql<{ webhooks: readonly Webhook[] }>(scope, query, {}, signal)).webhooks;
}

/** Null: there is none with this id. */
export async function loadWebhook(scope: Scope, id: string, signal: AbortSignal): Promise<Webhook | null> {
  const query = `query ConsoleWebhook($id: ID!) { webhook(id: $id) { ${WEBHOOK} } }`;
  return (await askGraphql<{ webhook: Webhook | null }>(scope, query, { id }, signal)).webhook;
}

/** A page of deliveries, newest first; `next` is null at the end. */
export interface DeliveryPage {
  readonly deliveries: readonly WebhookDelivery[];
  readonly next: string | null;
}

/** @throws ApiProblem */
export async function listDeliveries(
  scope: Scope,
  choice: { readonly id: string; readonly status: WebhookDeliveryStatus | null; readonly after: string | null },
  signal: AbortSignal,
): Promise<DeliveryPage> {
  const query = `query ConsoleDeliveries($id: ID!, $status: WebhookDeliveryStatus, $first: Int, $after: ID) {
    webhook(id: $id) { deliveries(status: $status, first: $first, after: $after) { ${DELIVERY} } } }`;
  const variables = { ...choice, first: PAGE };
  const found = await askGraphql<{ webhook: { deliveries: readonly WebhookDelivery[] } | null }>(
    scope,
    query,
    variables,
    signal,
  );
  const deliveries = found.webhook?.deliveries ?? [];
  return { deliveries, next: deliveries.length < PAGE ? null : (deliveries.at(-1)?.id ?? null) };
}

/** Makes a webhook; its secret comes back once. */
export async function createWebhook(scope: Scope, input: WebhookForm): Promise<string> {
  const query =
    'mutation ConsoleCreateWebhook($input: CreateWebhookInput!) { createWebhook(input: $input) { secret } }';
  return (await askGraphql<{ createWebhook: { secret: string } }>(scope, query, { input })).createWebhook.secret;
}

/** Changes a webhook as it was read; a new secret comes back once. @throws ApiProblem `conflict` when it has changed since */
export async function updateWebhook(
  scope: Scope,
  { id, version }: Pick<Webhook, 'id' | 'version'>,
  input: Partial<WebhookForm> & { readonly status?: WebhookStatus; readonly rotateSecret?: boolean },
): Promise<string | null> {
  const query = `mutation ConsoleUpdateWebhook($id: ID!, $version: Int, $input: UpdateWebhookInput!) {
    updateWebhook(id: $id, version: $version, input: $input) { secret } }`;
  const changed = await askGraphql<{ updateWebhook: { secret: string | null } }>(scope, query, { id, version, input });
  return changed.updateWebhook.secret;
}

/** Deletes a webhook with its deliveries. */
export async function deleteWebhook(scope: Scope, id: string): Promise<void> {
  await askGraphql(scope, 'mutation ConsoleDeleteWebhook($id: ID!) { deleteWebhook(id: $id) { id } }', { id });
}

/** Queues a test message. */
export async function testWebhook(scope: Scope, id: string): Promise<void> {
  await askGraphql(scope, 'mutation ConsoleTestWebhook($id: ID!) { testWebhook(id: $id) { id } }', { id });
}

/** Sends deliveries again, at most 1,000. */
export async function redeliver(scope: Scope, id: string, deliveryIds: readonly string[]): Promise<void> {
  const query = `mutation ConsoleRedeliver($id: ID!, $deliveryIds: [ID!]) {
    redeliverWebhook(id: $id, deliveryIds: $deliveryIds) }`;
  await askGraphql(scope, query, { id, deliveryIds });
}
