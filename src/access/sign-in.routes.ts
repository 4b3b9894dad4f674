import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { PlacardError } from '../domain/errors.ts';
import type { Database } from '../storage/sql/schema.ts';
import type { AuditActor } from './audit.sql.ts';
import { DEVICE_COOKIE, formatCookie, readCookie, SESSION_COOKIE } from './cookies.ts';
import { acceptInvitation, findInvitation, writePassword } from './invitations.sql.ts';
import { checkSameOrigin } from './same-origin.ts';
import { confirmSecondFactor, hasSecondFactor, removeSecondFactor, startSecondFactor } from './second-factor.sql.ts';
import { requireSession } from './session-principal.ts';
import { endOtherSessions, endSession, listSessions, type Session, SESSION_MS } from './sessions.sql.ts';
import type { SignedIn, SignIn } from './sign-in.ts';
import { listSignInNetworks } from './users.sql.ts';

const DEVICE_SECONDS = 365 * 86_400;

/** What the sign-in routes work with. */
export interface SignInRoutesDeps {
  readonly sql: Kysely<Database>;
  readonly pepper: Buffer;
  readonly signIn: SignIn;
  nowMs(): number;
}

type Call = { readonly request: FastifyRequest; readonly reply: FastifyReply };
/** `session` is null when nobody is signed in. */
type Handler = (deps: SignInRoutesDeps, call: Call) => Promise<unknown>;

const text = (max: number) => z.string().min(1).max(max);
const signInBody = z.object({ email: text(254), password: text(256), code: z.string().max(20).optional() });
const passwordBody = z.object({ current: text(256), next: text(256) });
const tokenBody = z.object({ token: text(100) });
const acceptBody = z.object({
  token: text(100),
  name: z.string().max(200).default(''),
  password: z.string().max(256).default(''),
});
const codeBody = z.object({ code: text(20) });
const confirmBody = z.object({ password: text(256) });
const sessionBody = z.object({ id: text(20) });

/** Every route below `/auth`: POST, JSON in and out, refused from other origins. `GET /auth/me` and `/auth/sessions` read. */
const ROUTES: readonly (readonly ['GET' | 'POST', string, Handler])[] = [
  ['POST', '/auth/sign-in', signIn],
  ['POST', '/auth/sign-out', signOut],
  ['GET', '/auth/me', showMe],
  ['GET', '/auth/sessions', showSessions],
  ['POST', '/auth/sessions/end', endOneSession],
  ['POST', '/auth/sessions/end-others', endOthers],
  ['POST', '/auth/password', changePassword],
  ['POST', '/auth/invitations/show', showInvitation],
  ['POST', '/auth/invitations/accept', accept],
  ['POST', '/auth/second-factor/start', startFactor],
  ['POST', '/auth/second-factor/confirm', confirmFactor],
  ['POST', '/auth/second-factor/remove', removeFactor],
];

/** Adds signing in and out, one's own password, sessions and second factor, and accepting invitations, to the core's server. */
export function registerSignIn(app: FastifyInstance, deps: SignInRoutesDeps): void {
  for (const [method, url, handler] of ROUTES) {
    app.route({
      method,
      url,
      bodyLimit: 16_384,
      handler: async (request, reply) => {
        checkSameOrigin(request.headers);
        reply.header('cache-control', 'no-store');
        return (await handler(deps, { request, reply })) ?? {};
      },
    });
  }
}

async function signIn(deps: SignInRoutesDeps, { request, reply }: Call): Promise<unknown> {
  const { email, password, code } = parse(signInBody, request.body);
  const device = readCookie(request.headers.cookie, DEVICE_COOKIE);
  const attempt = { email, password, code: code ?? null, device, ...whereFrom(request) };
  const signedIn = await deps.signIn.signIn(attempt);
  setCookies(reply, signedIn);
  return { userId: signedIn.userId };
}

async function signOut(deps: SignInRoutesDeps, { request, reply }: Call): Promise<unknown> {
  reply.header('set-cookie', formatCookie(SESSION_COOKIE, '', 0));
  const session = await requireSession(deps, request.headers).catch(() => null);
  if (session !== null) await endSession(deps.sql, session.userId, session.id);
  return {};
}

async function showMe(deps: SignInRoutesDeps, { request }: Call): Promise<unknown> {
  const { userId, email, name, operator } = await signedIn(deps, request);
  const networks = await listSignInNetworks(deps.sql, { userId, operator });
  return { user: { id: userId, email, name, operator, secondFactor: await hasSecondFactor(deps, userId) }, networks };
}

async function showSessions(deps: SignInRoutesDeps, { request }: Call): Promise<unknown> {
  const session = await signedIn(deps, request);
  const sessions = await listSessions(deps.sql, session.userId, nowOf(deps));
  return { sessions: sessions.map((one) => ({ ...one, current: one.id === session.id })) };
}

async function endOneSession(deps: SignInRoutesDeps, { request }: Call): Promise<unknown> {
  const session = await signedIn(deps, request);
  const { id } = parse(sessionBody, request.body);
  if (!(await endSession(deps.sql, session.userId, id)))
    throw new PlacardError('not_found', 'There is no such session.');
  return {};
}

async function endOthers(deps: SignInRoutesDeps, { request }: Call): Promise<unknown> {
  const session = await signedIn(deps, request);
  await endOtherSessions(deps.sql, session.userId, session.id);
  return {};
}

async function changePassword(deps: SignInRoutesDeps, { request }: Call): Promise<unknown> {
  const session = await signedIn(deps, request);
  const { current, next } = parse(passwordBody, request.body);
  await confirm(deps, request, session, current);
  const { userId, email, id } = session;
  const by = actorOf(session, request);
  await writePassword(deps.sql, { userId, email, password: next, by, keptSessionId: id }, nowOf(deps));
  return {};
}

async function showInvitation(deps: SignInRoutesDeps, { request }: Call): Promise<unknown> {
  const { token } = parse(tokenBody, request.body);
  const invitation = await findInvitation(deps, token, nowOf(deps));
  if (invitation === null) throw new PlacardError('gone', 'This link is used up or has expired; ask for a new one.');
  return invitation;
}

async function accept(deps: SignInRoutesDeps, { request, reply }: Call): Promise<unknown> {
  const body = parse(acceptBody, request.body);
  const session = await requireSession(deps, request.headers).catch(() => null);
  const { remoteAddress, userAgent } = whereFrom(request);
  const accepted = { ...body, signedInUserId: session?.userId ?? null, remoteAddress };
  const invitation = await findInvitation(deps, body.token, nowOf(deps));
  const { userId } = await acceptInvitation(deps, accepted, nowOf(deps));
  // A new password does not stand in for a second factor: who has one signs in anew.
  if (invitation !== null && session?.userId !== userId && !(await hasSecondFactor(deps, userId))) {
    setCookies(reply, await deps.signIn.startSession({ userId, email: invitation.email, userAgent, remoteAddress }));
  }
  return { userId };
}

async function startFactor(deps: SignInRoutesDeps, { request }: Call): Promise<unknown> {
  const session = await signedIn(deps, request);
  await confirm(deps, request, session, parse(confirmBody, request.body).password);
  return startSecondFactor(deps, { id: session.userId, email: session.email }, nowOf(deps));
}

async function confirmFactor(deps: SignInRoutesDeps, { request }: Call): Promise<unknown> {
  const session = await signedIn(deps, request);
  const { code } = parse(codeBody, request.body);
  const by = actorOf(session, request);
  return { recoveryCodes: await confirmSecondFactor(deps, { userId: session.userId, code, by }, nowOf(deps)) };
}

async function removeFactor(deps: SignInRoutesDeps, { request }: Call): Promise<unknown> {
  const session = await signedIn(deps, request);
  await confirm(deps, request, session, parse(confirmBody, request.body).password);
  await removeSecondFactor(deps, { userId: session.userId, by: actorOf(session, request) }, nowOf(deps));
  return {};
}

async function signedIn(deps: SignInRoutesDeps, request: FastifyRequest): Promise<Session> {
  const session = await requireSession(deps, request.headers);
  if (session === null) throw new PlacardError('authentication_required', 'Sign in first');
  return session;
}

function confirm(deps: SignInRoutesDeps, request: FastifyRequest, session: Session, password: string): Promise<void> {
  const { userId, email } = session;
  return deps.signIn.confirmPassword({ userId, email, password, remoteAddress: request.clientAddress });
}

function actorOf(session: Session, request: FastifyRequest): AuditActor {
  const actor = `user:${session.userId} ${session.email}`;
  return { actor, remoteAddress: request.clientAddress, networkId: '0', workspaceId: null };
}

function whereFrom(request: FastifyRequest): { userAgent: string; remoteAddress: string } {
  return { userAgent: request.headers['user-agent'] ?? '', remoteAddress: request.clientAddress };
}

function setCookies(reply: FastifyReply, { session, device }: SignedIn): void {
  reply.header('set-cookie', [
    formatCookie(SESSION_COOKIE, session, SESSION_MS / 1000),
    formatCookie(DEVICE_COOKIE, device, DEVICE_SECONDS),
  ]);
}

function nowOf(deps: SignInRoutesDeps): Date {
  return new Date(deps.nowMs());
}

/** @throws PlacardError `validation_failed` naming each field */
function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => ({
    path: issue.path.join('.') || 'body',
    code: issue.code,
    message: issue.message,
  }));
  throw new PlacardError('validation_failed', 'Some fields are missing or wrong.', { fields });
}
