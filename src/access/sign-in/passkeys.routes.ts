import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PlacardError } from '../../domain/errors.ts';
import { AttemptLimit, type AttemptRule, sourceOf } from '../limits/attempt-limit.ts';
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
import { givenPasskey, madePasskey } from './passkey-bodies.ts';
import type { Passkeys } from './passkeys.ts';
import { listPasskeys, removePasskey } from './passkeys.sql.ts';
import type { SignInRoutesDeps } from './sign-in.routes.ts';

/** Most attempts that one source may begin: each takes a row. */
const START_RULE: AttemptRule = {
  purpose: 'start',
  max: 100,
  windowMs: 300_000,
  message: 'Too many sign-ins started from this address',
};

/** Dependencies of the passkey routes. */
export interface PasskeyRoutesDeps extends SignInRoutesDeps {
  readonly passkeys: Passkeys;
  /** Attempts of unknown users. */
  readonly starts: AttemptLimit;
}

const ROUTES: readonly AuthRoute<PasskeyRoutesDeps>[] = [
  ['POST', '/auth/passkeys/sign-in/start', startSignIn],
  ['POST', '/auth/passkeys/sign-in', signIn],
  ['GET', '/auth/passkeys', list],
  ['POST', '/auth/passkeys/add/start', startAdding],
  ['POST', '/auth/passkeys/add', add],
  ['POST', '/auth/passkeys/remove', remove],
  ['POST', '/auth/verify/passkey/start', startVerifying],
  ['POST', '/auth/verify/passkey', verify],
];

/** Adds sign-in with a passkey, the management of one's own passkeys, and verification with one. */
export function registerPasskeys(app: FastifyInstance, deps: PasskeyRoutesDeps): void {
  addAuthRoutes(app, deps, ROUTES);
}

/** The limit on attempts of unknown users. */
export function newStartLimit(deps: ConstructorParameters<typeof AttemptLimit>[0]): AttemptLimit {
  return new AttemptLimit(deps, START_RULE);
}

/** @throws PlacardError `rate_limit_exceeded` when this source has begun too many attempts */
export async function countStart({ starts }: PasskeyRoutesDeps, request: FastifyRequest): Promise<void> {
  const tooMany = await starts.count(sourceOf(request.clientAddress));
  if (tooMany !== null) throw tooMany;
}

async function startSignIn(deps: PasskeyRoutesDeps, { request }: AuthCall): Promise<unknown> {
  await countStart(deps, request);
  return deps.passkeys.askToSignIn();
}

async function signIn(deps: PasskeyRoutesDeps, { request, reply }: AuthCall): Promise<unknown> {
  const given = parseBody(givenPasskey, request.body);
  const session = { ...whereFrom(request), method: 'passkey', networkId: null } as const;
  const made = await deps.signIn.signInBy(session, async () => {
    const userId = await deps.passkeys.checkSignIn(given);
    return userId === null ? null : { userId };
  });
  reply.header('set-cookie', sessionCookies(made));
  return { userId: made.userId };
}

async function list(deps: PasskeyRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const { userId } = await ownAccount(deps, request);
  return { available: deps.passkeys.isAvailable, passkeys: await listPasskeys(deps.sql, userId) };
}

async function startAdding(deps: PasskeyRoutesDeps, { request }: AuthCall): Promise<unknown> {
  return deps.passkeys.startAdding(await verifiedSession(deps, request, { action: 'account.addPasskey' }));
}

async function add(deps: PasskeyRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const session = await verifiedSession(deps, request, { action: 'account.addPasskey' });
  return deps.passkeys.finishAdding(session, parseBody(madePasskey, request.body), actorOf(session, request));
}

async function remove(deps: PasskeyRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const session = await verifiedSession(deps, request, { action: 'account.removePasskey' });
  const { id } = parseBody(idBody, request.body);
  const input = { userId: session.userId, id, by: actorOf(session, request) };
  await removePasskey(deps.sql, input, new Date(deps.nowMs()));
  return {};
}

async function startVerifying(deps: PasskeyRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const asked = await deps.passkeys.askToVerify(await signedIn(deps, request));
  if (asked === null) throw new PlacardError('not_found', 'This account has no passkey.');
  return asked;
}

async function verify(deps: PasskeyRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const session = await signedIn(deps, request);
  const given = parseBody(givenPasskey, request.body);
  await deps.verifier.verify(session, request.clientAddress, () => deps.passkeys.checkVerify(session, given));
  return {};
}
