import type { Role } from './auth.ts';
import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';

/** Names as the schema writes them. */
export const PERMISSIONS = ['READ_ONLY', 'READ_WRITE', 'ADMIN'] as const;
export type Permission = (typeof PERMISSIONS)[number];
export const MODULES = ['DELIVERY', 'INVENTORY', 'AUDIENCE', 'REPORTS'] as const;
export type Module = (typeof MODULES)[number];

/** A key as listings show it. Instants are ISO 8601. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly environment: 'PRODUCTION' | 'STAGING';
  readonly permission: Permission;
  readonly modules: readonly Module[] | null;
  readonly scope: 'NETWORK' | 'BUYER';
  readonly advertiserIds: readonly string[];
  readonly prefix: string;
  readonly lastFour: string;
  readonly ipAllowlist: readonly string[];
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdBy: string;
  readonly createdAt: string;
}

/** The fields of a new key. */
export interface NewApiKey {
  readonly name: string;
  readonly permission: Permission;
  readonly environment: 'PRODUCTION' | 'STAGING';
  readonly modules: readonly Module[] | null;
  readonly expiresAt: string | null;
  readonly ipAllowlist: readonly string[];
}

const KEY =
  'id name environment permission modules scope advertiserIds prefix lastFour ipAllowlist expiresAt revokedAt lastUsedAt createdBy createdAt';

/** The keys of the environment that is looked at. */
export async function listApiKeys(
  scope: Scope,
  includeInactive: boolean,
  signal: AbortSignal,
): Promise<readonly ApiKey[]> {
  const query = `query ConsoleKeys($all: Boolean) { apiKeys(includeInactive: $all) { ${KEY} } }`;
  return (await askGraphql<{ apiKeys: readonly ApiKey[] }>(scope, query, { all: includeInactive }, signal)).apiKeys;
}

/** Makes a key; its value comes back once. */
export async function createApiKey(scope: Scope, input: NewApiKey): Promise<string> {
  const query = 'mutation ConsoleCreateKey($input: CreateApiKeyInput!) { createApiKey(input: $input) { value } }';
  return (await askGraphql<{ createApiKey: { value: string } }>(scope, query, { input })).createApiKey.value;
}

/** The fields of a key for a buyer's agent. */
export interface NewBuyerKey {
  readonly name: string;
  readonly advertiserIds: readonly string[];
  /** Money as exact text; null: no limit. */
  readonly spendLimit: string | null;
  readonly expiresAt: string | null;
}

/** Makes a key for a buyer's agent in the environment that is looked at; its value comes back once. */
export async function createBuyerKey(scope: Scope, fields: NewBuyerKey): Promise<string> {
  const query = 'mutation ConsoleCreateBuyerKey($input: CreateApiKeyInput!) { createApiKey(input: $input) { value } }';
  const input = { ...fields, permission: 'READ_WRITE', scope: 'BUYER' };
  return (await askGraphql<{ createApiKey: { value: string } }>(scope, query, { input })).createApiKey.value;
}

/** Makes a key like an old one, which goes on until `oldExpiresAt`; the new value comes back once. */
export async function rotateApiKey(
  scope: Scope,
  input: { id: string; oldExpiresAt: string; expiresAt: string | null },
): Promise<string> {
  const query = `mutation ConsoleRotateKey($id: ID!, $oldExpiresAt: DateTime!, $expiresAt: DateTime) {
    rotateApiKey(id: $id, oldExpiresAt: $oldExpiresAt, expiresAt: $expiresAt) { value } }`;
  return (await askGraphql<{ rotateApiKey: { value: string } }>(scope, query, input)).rotateApiKey.value;
}

/** Revokes a key for good. */
export async function revokeApiKey(scope: Scope, id: string): Promise<void> {
  await askGraphql(scope, 'mutation ConsoleRevokeKey($id: ID!) { revokeApiKey(id: $id) { id } }', { id });
}

/** A login/token pair as listings show it. */
export interface HeaderCredential {
  readonly id: string;
  readonly name: string;
  readonly login: string;
  readonly disabledAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdBy: string;
  readonly createdAt: string;
}

/** The pairs of the environment that is looked at. */
export async function listCredentials(
  scope: Scope,
  includeDisabled: boolean,
  signal: AbortSignal,
): Promise<readonly HeaderCredential[]> {
  const query = `query ConsoleCredentials($all: Boolean) {
    headerCredentials(includeDisabled: $all) { id name login disabledAt lastUsedAt createdBy createdAt } }`;
  return (
    await askGraphql<{ headerCredentials: readonly HeaderCredential[] }>(scope, query, { all: includeDisabled }, signal)
  ).headerCredentials;
}

/** Makes a pair; its token comes back once. */
export async function createCredential(scope: Scope, name: string): Promise<{ login: string; token: string }> {
  const query =
    'mutation ConsoleCreateCredential($name: String!) { createHeaderCredential(name: $name) { login token } }';
  return (await askGraphql<{ createHeaderCredential: { login: string; token: string } }>(scope, query, { name }))
    .createHeaderCredential;
}

/** Disables a pair for good. */
export async function disableCredential(scope: Scope, id: string): Promise<void> {
  await askGraphql(scope, 'mutation ConsoleDisableCredential($id: ID!) { disableHeaderCredential(id: $id) { id } }', {
    id,
  });
}

type RoleName = 'VIEWER' | 'EDITOR' | 'ADMIN';

/** A member of the network. */
export interface NetworkUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly disabledAt: string | null;
  readonly createdAt: string;
}

/** An invitation that nobody accepted yet. */
export interface OpenInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly createdBy: string;
  readonly expiresAt: string;
  readonly delivery: InvitationDelivery;
  /** Why the mail was given up, or why its last try failed. */
  readonly deliveryError: string | null;
}

/** The state of the mail with the link; OPERATOR: no mail is sent here, the operator hands the link out. */
export type InvitationDelivery = 'QUEUED' | 'SENT' | 'FAILED' | 'OPERATOR';

/** Members and open invitations. */
export async function listUsers(
  scope: Scope,
  signal: AbortSignal,
): Promise<{ users: readonly NetworkUser[]; invitations: readonly OpenInvitation[] }> {
  const query = `query ConsoleUsers {
    users { id email name role disabledAt createdAt }
    invitations { id email role createdBy expiresAt delivery deliveryError } }`;
  const response = await askGraphql<{
    users: readonly (Omit<NetworkUser, 'role'> & { role: RoleName })[];
    invitations: readonly (Omit<OpenInvitation, 'role'> & { role: RoleName | null })[];
  }>(scope, query, {}, signal);
  return {
    users: response.users.map((user) => ({ ...user, role: user.role.toLowerCase() as Role })),
    invitations: response.invitations.map((one) => ({ ...one, role: (one.role ?? 'VIEWER').toLowerCase() as Role })),
  };
}

/** Invites an address, in place of an open invitation of it; says how the link gets there. */
export async function inviteUser(
  scope: Scope,
  email: string,
  role: Role,
): Promise<{ id: string; delivery: InvitationDelivery }> {
  const query =
    'mutation ConsoleInvite($email: String!, $role: Role!) { inviteUser(email: $email, role: $role) { id delivery } }';
  const variables = { email, role: role.toUpperCase() };
  const made = await askGraphql<{ inviteUser: { id: string; delivery: InvitationDelivery } }>(scope, query, variables);
  return made.inviteUser;
}

/** Takes an invitation back. */
export async function revokeInvitation(scope: Scope, id: string): Promise<void> {
  await askGraphql(scope, 'mutation ConsoleRevokeInvitation($id: ID!) { revokeInvitation(id: $id) }', { id });
}

/** Gives a member another role. */
export async function changeRole(scope: Scope, userId: string, role: Role): Promise<void> {
  const query =
    'mutation ConsoleRole($userId: ID!, $role: Role!) { updateMembership(userId: $userId, role: $role) { id } }';
  await askGraphql(scope, query, { userId, role: role.toUpperCase() });
}

/** Takes a member out of the network. */
export async function removeMember(scope: Scope, userId: string): Promise<void> {
  await askGraphql(scope, 'mutation ConsoleRemove($userId: ID!) { removeMembership(userId: $userId) }', { userId });
}

/** Kinds of calls that are limited. `ads` is a rate per second, the others are per UTC day. */
export const LIMIT_NAMES = ['management', 'reports', 'events', 'ads'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** What another currency is worth in the network's, from a day of the network on. */
export interface ExchangeRate {
  /** ISO 4217. */
  readonly currency: string;
  /** Exact: `0.92`. */
  readonly rate: string;
  /** `YYYY-MM-DD`. */
  readonly from: string;
}

/** Settings of a network that hold for both environments. */
export interface NetworkSettings {
  readonly id: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'PAUSED' | 'SUSPENDED';
  readonly timezone: string;
  readonly currency: string;
  readonly floor: string;
  /** Another member approves guaranteed bookings before they go live. */
  readonly approvalRequired: boolean;
  /** How guaranteed line items meet what is sold by price. */
  readonly goalCompetition: 'BIDS' | 'LEVELS';
  /** By currency and day. */
  readonly exchangeRates: readonly ExchangeRate[];
  readonly version: number;
  /** null: the ceiling applies. */
  readonly limits: Readonly<Record<LimitName, number | null>>;
  /** The operator's: no limit goes above it. */
  readonly limitCeilings: Readonly<Record<LimitName, number>>;
}

const LIMITS = '{ management ads events reports }';
const SETTINGS = `id name status timezone currency floor approvalRequired goalCompetition exchangeRates { currency rate from } version limits ${LIMITS} limitCeilings ${LIMITS}`;

/** @throws ApiProblem */
export async function loadNetworkSettings(scope: Scope, signal: AbortSignal): Promise<NetworkSettings | null> {
  const query = `query ConsoleSettings($id: ID!) { network(id: $id) { ${SETTINGS} } }`;
  return (await askGraphql<{ network: NetworkSettings | null }>(scope, query, { id: scope.networkId }, signal)).network;
}

/** Changes settings; fails as `conflict` when they were changed since `version`. */
export async function updateNetworkSettings(
  scope: Scope,
  version: number,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  const query =
    'mutation ConsoleUpdateNetwork($version: Int, $input: UpdateNetworkInput!) { updateNetwork(version: $version, input: $input) { id } }';
  await askGraphql(scope, query, { version, input });
}
