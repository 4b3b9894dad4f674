import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { PlacardError } from '../../domain/errors.ts';
import {
  actorOf,
  addAuthRoutes,
  type AuthCall,
  type AuthCallDeps,
  type AuthRoute,
  idBody,
  ownAccount,
  parseBody,
  sessionCookies,
  signedIn,
  verifiedSession,
  whereFrom,
} from './auth-call.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import { formatCookie, SESSION_COOKIE } from '../permissions/cookies.ts';
import { acceptInvitation, findInvitation, writePassword } from '../users/invitations.sql.ts';
import { givenPasskey } from './passkey-bodies.ts';
import { confirmSecondFactor, hasSecondFactor, removeSecondFactor, startSecondFactor } from './second-factor.sql.ts';
import { requireSession } from './session-principal.ts';
import { endOtherSessions, endSession, listSessions, type Session } from '../permissions/sessions.sql.ts';
import type { SignIn } from './sign-in.ts';
import type { StartLink } from './start-link.ts';
import { findAccount, listSignInNetworks } from '../users/users.sql.ts';

/** Dependencies of the sign-in routes. */
export interface SignInRoutesDeps extends AuthCallDeps {
  readonly signIn: SignIn;
  /** Null: no mail is sent. */
  readonly mail: MailQueue | null;
  /** Absent: this process prints no link. */
  readonly startLink?: StartLink;
}

const text = (max: number) => z.string().min(1).max(max);
const signInBody = z.object({
  email: text(254),
  password: text(256),
  code: z.string().max(20).optional(),
  passkey: givenPasskey.optional(),
});
const passwordBody = z.object({ current: text(256).optional(), next: text(256) });
const tokenBody = z.object({ token: text(100) });
const acceptBody = z.object({
  token: text(100),
  name: z.string().max(200).default(''),
  password: z.string().max(256).default(''),
});
const codeBody = z.object({ code: text(20) });
const confirmBody = z.object({ password: text(256).optional() });
const verifyBody = z.object({ password: text(256) });

/** Every route below `/auth`: POST with JSON, refused from other origins, except for reads by `GET /auth/me` and `/auth/sessions`. */
const ROUTES: readonly AuthRoute<SignInRoutesDeps>[] = [
  ['POST', '/auth/sign-in', signIn],
  ['POST', '/auth/sign-in-by-link', signInByLink],
  ['POST', '/auth/sign-out', signOut],
  ['GET', '/auth/me', showMe],
  ['GET', '/auth/sessions', showSessions],
  ['POST', '/auth/sessions/end', endOneSession],
  ['POST', '/auth/sessions/end-others', endOthers],
  ['POST', '/auth/verify', verify],
  ['POST', '/auth/password', changePassword],
  ['POST', '/auth/invitations/show', showInvitation],
  ['POST', '/auth/invitations/accept', accept],
  ['POST', '/auth/second-factor/start', startFactor],
  ['POST', '/auth/second-factor/confirm', confirmFactor],
  ['POST', '/auth/second-factor/remove', removeFactor],
];

/** Adds signing in and out, one's own password, sessions and second factor, and accepting invitations, to the core's server. */
export function registerSignIn(app: FastifyInstance, deps: SignInRoutesDeps): void {
  addAuthRoutes(app, deps, ROUTES);
}

async function signIn(deps: SignInRoutesDeps, { request, reply }: AuthCall): Promise<unknown> {
  const { email, password, code, passkey } = parseBody(signInBody, request.body);
  const attempt = { email, password, code: code ?? null, passkey: passkey ?? null, ...whereFrom(request) };
  const made = await deps.signIn.signIn(attempt);
  reply.header('set-cookie', sessionCookies(made));
  return { userId: made.userId };
}

async function signInByLink(deps: SignInRoutesDeps, { request, reply }: AuthCall): Promise<unknown> {
  const { token } = parseBody(tokenBody, request.body);
  const session = { ...whereFrom(request), method: 'link', networkId: null } as const;
  const made = await deps.signIn.signInBy(session, async () => {
    const email = deps.startLink?.redeem(token) ?? null;
    const account = email === null ? null : await findAccount(deps.sql, email);
    // A link does not replace a second factor.
    return account === null || (await hasSecondFactor(deps, account.id)) ? null : { userId: account.id };
  });
  reply.header('set-cookie', sessionCookies(made));
  return { userId: made.userId };
}

async function signOut(deps: SignInRoutesDeps, { request, reply }: AuthCall): Promise<unknown> {
  reply.header('set-cookie', formatCookie(SESSION_COOKIE, '', 0));
  const session = await requireSession(deps, request.headers).catch(() => null);
  if (session !== null) await endSession(deps.sql, { userId: session.userId }, session.id);
  return {};
}

async function showMe(deps: SignInRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const { userId, email, name, operator, networkId } = await signedIn(deps, request);
  const networks = await listSignInNetworks(deps.sql, { userId, operator });
  return {
    user: { id: userId, email, name, operator, secondFactor: await hasSecondFactor(deps, userId) },
    networks: networks.filter(({ id }) => networkId === null || id === networkId),
    limitedTo: networkId,
  };
}

async function showSessions(deps: SignInRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const session = await signedIn(deps, request);
  const sessions = await listSessions(deps.sql, seenBy(session), nowOf(deps));
  return { sessions: sessions.map((one) => ({ ...one, current: one.id === session.id })) };
}

async function endOneSession(deps: SignInRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const session = await signedIn(deps, request);
  const { id } = parseBody(idBody, request.body);
  if (!(await endSession(deps.sql, seenBy(session), id)))
    throw new PlacardError('not_found', 'There is no such session.');
  return {};
}

/** A session that is limited to a network lists and ends only sessions with the same limit. */
function seenBy({ userId, networkId }: Session): { userId: string; networkId?: string } {
  return networkId === null ? { userId } : { userId, networkId };
}

async function endOthers(deps: SignInRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const session = await ownAccount(deps, request);
  await endOtherSessions(deps.sql, session.userId, session.id);
  return {};
}

async function verify(deps: SignInRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const session = await signedIn(deps, request);
  const { password } = parseBody(verifyBody, request.body);
  await deps.verifier.verifyByPassword(session, password, request.clientAddress);
  return {};
}

async function changePassword(deps: SignInRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const { current, next } = parseBody(passwordBody, request.body);
  const session = await verifiedSession(deps, request, { action: 'account.changePassword', password: current });
  const { userId, email, id } = session;
  const by = actorOf(session, request);
  const change = { userId, email, password: next, by, keptSessionId: id, mail: deps.mail };
  await writePassword(deps.sql, change, nowOf(deps));
  return {};
}

async function showInvitation(deps: SignInRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const { token } = parseBody(tokenBody, request.body);
  const invitation = await findInvitation(deps, token, nowOf(deps));
  if (invitation === null)
    throw new PlacardError('gone', 'This link was already used or has expired; ask for a new one.');
  return invitation;
}

async function accept(deps: SignInRoutesDeps, { request, reply }: AuthCall): Promise<unknown> {
  const body = parseBody(acceptBody, request.body);
  const session = await requireSession(deps, request.headers).catch(() => null);
  const { remoteAddress } = whereFrom(request);
  // A network's own provider has no say in another network.
  const signedInUserId = session?.networkId === null ? session.userId : null;
  const accepted = { ...body, signedInUserId, remoteAddress };
  const invitation = await findInvitation(deps, body.token, nowOf(deps));
  const { userId, isNewAccount } = await acceptInvitation(deps, accepted, nowOf(deps));
  // A new password does not replace a second factor: a member with one signs in again.
  if (invitation !== null && session?.userId !== userId && !(await hasSecondFactor(deps, userId))) {
    const { email } = invitation;
    const where = { ...whereFrom(request), method: 'password', networkId: null } as const;
    const made = await deps.signIn.startSession({ userId, email, isNewAccount, ...where });
    reply.header('set-cookie', sessionCookies(made));
  }
  return { userId };
}

async function startFactor(deps: SignInRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const { password } = parseBody(confirmBody, request.body);
  const session = await verifiedSession(deps, request, { action: 'account.setUpSecondFactor', password });
  return startSecondFactor(deps, { id: session.userId, email: session.email }, nowOf(deps));
}

async function confirmFactor(deps: SignInRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const session = await ownAccount(deps, request);
  const { code } = parseBody(codeBody, request.body);
  const by = actorOf(session, request);
  return { recoveryCodes: await confirmSecondFactor(deps, { userId: session.userId, code, by }, nowOf(deps)) };
}

async function removeFactor(deps: SignInRoutesDeps, { request }: AuthCall): Promise<unknown> {
  const { password } = parseBody(confirmBody, request.body);
  const session = await verifiedSession(deps, request, { action: 'account.removeSecondFactor', password });
  await removeSecondFactor(deps, { userId: session.userId, by: actorOf(session, request) }, nowOf(deps));
  return {};
}

function nowOf(deps: SignInRoutesDeps): Date {
  return new Date(deps.nowMs());
}
