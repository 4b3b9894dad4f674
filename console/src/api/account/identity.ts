import { NETWORK_HEADER } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';
import { sendJson } from '../transport/send.ts';

/** A service that people can sign in with. */
export interface SignInProvider {
  /** `installation`, or the id of the network that it belongs to. */
  readonly id: string;
  readonly name: string;
}

/** A connection of the signed-in person to a provider. Instants are ISO 8601. */
export interface IdentityEntry {
  readonly id: string;
  readonly provider: string;
  readonly issuer: string;
  readonly email: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** How the signed-in person can prove again who they are. */
export interface Proofs {
  readonly password: boolean;
  readonly passkey: boolean;
  readonly provider: boolean;
}

/** A network's own provider, as its admins set it. */
export interface ProviderSettings {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
}

/** How one can sign in here; with a network, by its own provider too. */
export function loadMethods(
  network: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly passkeys: boolean; readonly providers: readonly SignInProvider[] }> {
  return sendJson(`/auth/methods${network === undefined ? '' : `?network=${encodeURIComponent(network)}`}`, { signal });
}

/** Leaves for the provider's page. */
export async function leaveForProvider(
  way: 'start' | 'connect' | 'verify',
  provider: string,
  next: string,
): Promise<void> {
  const body = { provider, next };
  const { url } = await sendJson<{ url: string }>(`/auth/oidc/${way}`, { method: 'POST', body });
  window.location.assign(url);
}

/** How the signed-in person can prove again who they are. */
export function loadProofs(signal: AbortSignal): Promise<Proofs> {
  return sendJson<Proofs>('/auth/verify', { signal });
}

/** Proves with the password who is there. @throws ApiProblem `invalid_credentials` */
export async function verifyWithPassword(password: string): Promise<void> {
  await sendJson('/auth/verify', { method: 'POST', body: { password } });
}

/** One's own connections to providers. */
export async function listIdentities(signal: AbortSignal): Promise<readonly IdentityEntry[]> {
  return (await sendJson<{ identities: readonly IdentityEntry[] }>('/auth/identities', { signal })).identities;
}

/** Removes a connection. */
export async function removeIdentity(id: string): Promise<void> {
  await sendJson('/auth/identities/remove', { method: 'POST', body: { id } });
}

/** A network's own provider; `allowed` is false where the operator allows none. */
export function loadProviderSettings(
  scope: Scope,
  signal: AbortSignal,
): Promise<{ readonly allowed: boolean; readonly callback: string; readonly provider: ProviderSettings | null }> {
  return sendJson('/auth/identity-provider', { headers: { [NETWORK_HEADER]: scope.networkId }, signal });
}

/** Sets a network's own provider. Without a secret the present one stays. */
export async function saveProviderSettings(
  scope: Scope,
  settings: ProviderSettings & { readonly clientSecret?: string },
): Promise<void> {
  const headers = { [NETWORK_HEADER]: scope.networkId };
  await sendJson('/auth/identity-provider', { method: 'POST', body: settings, headers });
}

/** Removes a network's own provider. */
export async function removeProviderSettings(scope: Scope): Promise<void> {
  const headers = { [NETWORK_HEADER]: scope.networkId };
  await sendJson('/auth/identity-provider/remove', { method: 'POST', body: {}, headers });
}
