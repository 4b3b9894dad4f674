import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PlacardError } from '../../domain/errors.ts';
import type { Principal } from '../../domain/tenancy/principal.ts';
import {
  actorOf,
  addAuthRoutes,
  type AuthCall,
  type AuthRoute,
  idBody,
  ownAccount,
  parseBody,
  sessionCookies,
  signedIn,
  verifiedSession,
  whereFrom,
} from './auth-call.ts';
import { ATTEMPT_COOKIE, formatCookie, readCookie } from '../permissions/cookies.ts';
import { connectIdentity, disconnectIdentity, listIdentities, resolveIdentity } from './identities.sql.ts';
import {
  type IdentityProvider,
  INSTALLATION_PROVIDER,
  networkOf,
  removeIdentityProvider,
  setIdentityProvider,
} from './identity-providers.sql.ts';
import type { Oidc, OidcPurpose, OidcResult } from './oidc.ts';
import { describeRefusal, type OidcRefusal, refusedSignIn } from './oidc-refusal.ts';
import { countStart, type PasskeyRoutesDeps } from './passkeys.routes.ts';
import { listPasskeys } from './passkeys.sql.ts';
import { requireSession } from './session-principal.ts';
import type { Session } from '../permissions/sessions.sql.ts';
import { ATTEMPT_MS } from './sign-in-attempts.sql.ts';
import { findAccount } from '../users/users.sql.ts';

/** Dependencies of the OpenID Connect routes. */
export interface OidcRoutesDeps extends PasskeyRoutesDeps {
  readonly oidc: Oidc;
  /** Authorises an admin of the network. */
  authenticate(request: FastifyRequest, operation: string): Promise<Principal>;
}

const PROVIDER_ID = /^(installation|\d{1,18})$/;
const ACCOUNT_PAGE = '/settings/account';
const startBody = z.object({
  provider: z.string().regex(PROVIDER_ID),
  next: z.string().max(2_000).default('/desk'),
});
const providerBody = z.object({
  name: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  /** Absent: stays. */
  clientSecret: z.string().optional(),
});

const ROUTES: readonly AuthRoute<OidcRoutesDeps>[] = [
  ['GET', '/auth/methods', showMethods],
  ['POST', '/auth/oidc/start', startSignIn],
  ['POST', '/auth/oidc/connect', startConnecting],
  ['POST', '/auth/oidc/verify', startVerifying],
  ['GET', '/auth/verify', showProofs],
  ['GET', '/auth/identities', showIdentities],
  ['POST', '/auth/identities/remove', removeIdentity],
  ['GET', '/auth/identity-provider', showProvider],
  ['POST', '/auth/identity-provider', saveProvider],
  ['POST', '/auth/identity-provider/remove', removeProvider],
];

/** Adds signing in by OpenID Connect, one's own connections, and a network's own provider. */
export function registerOidc(app: FastifyInstance, deps: OidcRoutesDeps): void {
  addAuthRoutes(app, deps, ROUTES);
  // The provider's page sends the browser here, always from another origin. The cookie of the attempt binds the call to its start.
  app.get<{ Params: { provider: string } }>('/auth/oidc/:provider/callback', (request, reply) =>
    finish(deps, request, reply),
  );
}

/** The ways to sign in here; `?network=` adds that network's own provider. */
async function showMethods(deps: OidcRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const { network } = request.query as { network?: unknown };
  const ids = [INSTALLATION_PROVIDER, ...(typeof network === 'string' ? [network] : [])];
  const providers = await Promise.all(ids.filter((id) => PROVIDER_ID.test(id)).map((id) => deps.oidc.findProvider(id)));
  return { passkeys: deps.passkeys.isAvailable, providers: providers.filter((one) => one !== null).map(shown) };
}

async function startSignIn(deps: OidcRoutesDeps, call: AuthCall): Promise<unknown> {
  await countStart(deps, call.request);
  const { provider, next } = parseBody(startBody, call.request.body);
  return start(deps, call, provider, { kind: 'sign-in', sessionId: null, userId: null, next: safeNext(next) });
}

async function startConnecting(deps: OidcRoutesDeps, call: AuthCall): Promise<unknown> {
  const session = await verifiedSession(deps, call.request, { action: 'account.connectIdentity' });
  const { provider } = parseBody(startBody, call.request.body);
  return start(deps, call, provider, purposeOf('connect', session, ACCOUNT_PAGE));
}

/** For a session that a provider started: the proof is a new sign-in there. */
async function startVerifying(deps: OidcRoutesDeps, call: AuthCall): Promise<unknown> {
  const session = await signedIn(deps, call.request);
  if (session.method !== 'oidc') throw new PlacardError('not_found', 'No provider started this session.');
  const { next } = parseBody(startBody.pick({ next: true }), call.request.body);
  const provider = session.networkId ?? INSTALLATION_PROVIDER;
  return start(deps, call, provider, purposeOf('verify', session, safeNext(next)));
}

function purposeOf(kind: OidcPurpose['kind'], { id, userId }: Session, next: string): OidcPurpose {
  return { kind, sessionId: id, userId, next };
}

async function start(
  deps: OidcRoutesDeps,
  { reply }: AuthCall,
  providerId: string,
  purpose: OidcPurpose,
): Promise<unknown> {
  const provider = await deps.oidc.findProvider(providerId);
  if (provider === null) throw new PlacardError('not_found', 'This sign-in provider does not exist.');
  const { url, token } = await deps.oidc.start(provider, purpose);
  reply.header('set-cookie', formatCookie(ATTEMPT_COOKIE, token, ATTEMPT_MS / 1000));
  return { url };
}

async function finish(
  deps: OidcRoutesDeps,
  request: FastifyRequest<{ Params: { provider: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const cookies = [formatCookie(ATTEMPT_COOKIE, '', 0)];
  let target = '/sign-in';
  try {
    const token = readCookie(request.headers.cookie, ATTEMPT_COOKIE);
    if (token === null) throw refusedSignIn('other_browser');
    const at = request.url.indexOf('?');
    const query = at < 0 ? '' : request.url.slice(at);
    const call = { providerId: request.params.provider, token, query, remoteAddress: request.clientAddress };
    const result = await deps.oidc.finish(call);
    if (result.purpose.kind !== 'sign-in') target = ACCOUNT_PAGE;
    cookies.push(...(await conclude(deps, request, result)));
    target = result.purpose.next;
  } catch (error) {
    if (!(error instanceof PlacardError)) throw error;
    request.log.event('sign_in.oidc_refused', { ...describeRefusal(error), providerId: request.params.provider });
    // One error for every fault of the member or the account, so that it does not reveal who has an account.
    target = `${target}?problem=${error.code === 'invalid_credentials' ? 'not_connected' : error.code}`;
  }
  return reply
    .headers({ 'set-cookie': cookies, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .redirect(target, 303);
}

/** Completes the purpose of the round trip; returns the cookies of a new session. */
async function conclude(deps: OidcRoutesDeps, request: FastifyRequest, result: OidcResult): Promise<string[]> {
  const { purpose, identity } = result;
  const now = new Date(deps.nowMs());
  const networkId = networkOf(identity.provider);
  if (purpose.kind === 'sign-in') {
    const session = { ...whereFrom(request), method: 'oidc', networkId } as const;
    let refusal: OidcRefusal = 'account_disabled';
    const identify = async (): Promise<{ userId: string } | null> => {
      const found = await resolveIdentity(deps, identity, now);
      if (found.userId === null) refusal = found.refusal;
      return found.userId === null ? null : found;
    };
    const signedIn = deps.signIn.signInBy(session, identify).catch((error: unknown) => {
      throw error instanceof PlacardError && error.code === 'invalid_credentials' ? refusedSignIn(refusal) : error;
    });
    return sessionCookies(await signedIn);
  }
  const session = await currentSession(deps, request, purpose);
  if (purpose.kind === 'connect') {
    await connectIdentity(deps.sql, { userId: session.userId, identity, by: actorOf(session, request) }, now);
    return [];
  }
  const verified = deps.verifier.verify(session, request.clientAddress, async () => {
    const found = session.networkId === networkId ? await resolveIdentity(deps, identity, now) : null;
    return found?.userId === session.userId;
  });
  await verified.catch((error: unknown) => {
    throw error instanceof PlacardError && error.code === 'invalid_credentials' ? refusedSignIn('other_person') : error;
  });
  return [];
}

/** The session that began the round trip, if this browser still has it. The request always comes from another origin. */
async function currentSession(deps: OidcRoutesDeps, request: FastifyRequest, purpose: OidcPurpose): Promise<Session> {
  const session = await requireSession(deps, { cookie: request.headers.cookie });
  if (session !== null && session.id === purpose.sessionId && session.userId === purpose.userId) return session;
  throw refusedSignIn('session_over');
}

/** The ways in which the member of a session can verify their identity again. */
async function showProofs(deps: OidcRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const session = await signedIn(deps, request);
  const account = await findAccount(deps.sql, session.email);
  const passkeys = deps.passkeys.isAvailable ? await listPasskeys(deps.sql, session.userId) : [];
  return {
    password: account !== null && account.passwordHash !== null,
    passkey: passkeys.length > 0,
    provider: session.method === 'oidc',
  };
}

async function showIdentities(deps: OidcRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const { userId } = await ownAccount(deps, request);
  return { identities: await listIdentities(deps.sql, userId) };
}

async function removeIdentity(deps: OidcRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const session = await verifiedSession(deps, request, { action: 'account.disconnectIdentity' });
  const { id } = parseBody(idBody, request.body);
  const input = { userId: session.userId, id, by: actorOf(session, request) };
  await disconnectIdentity(deps.sql, input, new Date(deps.nowMs()));
  return {};
}

async function showProvider(deps: OidcRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const { networkId } = await deps.authenticate(request, 'identityProvider.read');
  const provider = await deps.oidc.findProvider(networkId);
  const callback = deps.oidc.callbackOf(networkId);
  return { allowed: deps.oidc.areNetworksAllowed, callback, provider: provider === null ? null : settingsOf(provider) };
}

async function saveProvider(deps: OidcRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const by = await deps.authenticate(request, 'identityProvider.write');
  const { clientSecret, ...body } = parseBody(providerBody, request.body);
  const before = await deps.oidc.findProvider(by.networkId);
  // A stored secret goes only to the provider that it belongs to.
  const kept = before !== null && before.issuer === body.issuer ? before.clientSecret : '';
  const provider = { id: by.networkId, ...body, clientSecret: clientSecret ?? kept };
  await deps.oidc.checkProvider(provider);
  await setIdentityProvider(deps, { ...provider, by: { ...by, workspaceId: null } }, new Date(deps.nowMs()));
  return {};
}

async function removeProvider(deps: OidcRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const by = await deps.authenticate(request, 'identityProvider.write');
  const input = { networkId: by.networkId, by: { ...by, workspaceId: null } };
  await removeIdentityProvider(deps.sql, input, new Date(deps.nowMs()));
  return {};
}

function shown({ id, name }: IdentityProvider): { id: string; name: string } {
  return { id, name };
}

function settingsOf({ name, issuer, clientId }: IdentityProvider) {
  return { name, issuer, clientId };
}

/** An address of the console itself; no other address is allowed. */
function safeNext(next: string): string {
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(next) ? next : '/desk';
}
