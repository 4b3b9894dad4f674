import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PlacardError } from '../../domain/errors.ts';
import type { AuditActor } from '../audit/audit.sql.ts';
import { DEVICE_COOKIE, formatCookie, readCookie, SESSION_COOKIE } from '../permissions/cookies.ts';
import { checkSameOrigin } from '../permissions/same-origin.ts';
import { requireSession, type SessionDeps } from './session-principal.ts';
import { SESSION_MS, type Session } from '../permissions/sessions.sql.ts';
import type { SignedIn } from './sign-in.ts';
import { requireVerification, verificationOf } from '../permissions/verification.ts';
import type { Verifier } from './verifier.ts';

const BODY_BYTES_MAX = 16_384;
const DEVICE_SECONDS = 365 * 86_400;

/** The body of a call that names one object of the member. */
export const idBody = z.object({ id: z.string().min(1).max(20) });

/** One call of an `/auth` route. */
export interface AuthCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Dependencies of the routes of a signed-in member. */
export interface AuthCallDeps extends Pick<SessionDeps, 'sql' | 'pepper' | 'nowMs'> {
  readonly verifier: Verifier;
}

/** Method, address and handler of an `/auth` route; the handler returns the JSON of the response. */
export type AuthRoute<Deps> = readonly ['GET' | 'POST', string, (deps: Deps, call: AuthCall) => Promise<unknown>];

/** Adds routes that refuse other origins, accept small JSON bodies, and are never cached. */
export function addAuthRoutes<Deps>(app: FastifyInstance, deps: Deps, routes: readonly AuthRoute<Deps>[]): void {
  for (const [method, url, handler] of routes) {
    app.route({
      method,
      url,
      bodyLimit: BODY_BYTES_MAX,
      handler: async (request, reply) => {
        checkSameOrigin(request.headers);
        reply.header('cache-control', 'no-store');
        return (await handler(deps, { request, reply })) ?? {};
      },
    });
  }
}

/** The session of a call. @throws PlacardError `authentication_required`, or as `requireSession` */
export async function signedIn(deps: AuthCallDeps, request: FastifyRequest): Promise<Session> {
  const session = await requireSession(deps, request.headers);
  if (session === null) throw new PlacardError('authentication_required', 'Sign in first');
  return session;
}

/**
 * The session of a call that changes the member's own account. `password`, if present, proves their identity in the same call.
 *
 * @throws PlacardError `insufficient_permissions` in a session of a network's own provider, which must not reach beyond that network;
 * `verification_required`; `invalid_credentials` for a wrong password
 */
export async function verifiedSession(
  deps: AuthCallDeps,
  request: FastifyRequest,
  { action, password }: { readonly action: string; readonly password?: string | undefined },
): Promise<Session> {
  const session = await ownAccount(deps, request);
  if (password !== undefined) await deps.verifier.verifyByPassword(session, password, request.clientAddress);
  else requireVerification(verificationOf(session, deps.nowMs()), action);
  return session;
}

/** The session of a call about the member's own account. @throws PlacardError `insufficient_permissions` as above */
export async function ownAccount(deps: AuthCallDeps, request: FastifyRequest): Promise<Session> {
  const session = await signedIn(deps, request);
  if (session.networkId === null) return session;
  throw new PlacardError(
    'insufficient_permissions',
    "A session of a network's own sign-in provider works in that network only; sign in with the password or a passkey.",
  );
}

/** Who the audit log names for a change of one's own account. */
export function actorOf(session: Session, request: FastifyRequest): AuditActor {
  const actor = `user:${session.userId} ${session.email}`;
  return { actor, remoteAddress: request.clientAddress, networkId: '0', workspaceId: null };
}

/** The origin of a call, as a new session stores it. */
export function whereFrom(request: FastifyRequest): {
  userAgent: string;
  remoteAddress: string;
  /** Value of the device cookie, if the browser has one. */
  device: string | null;
} {
  const device = readCookie(request.headers.cookie, DEVICE_COOKIE);
  return { userAgent: request.headers['user-agent'] ?? '', remoteAddress: request.clientAddress, device };
}

/** The cookies of a browser that has just signed in. */
export function sessionCookies({ session, device }: SignedIn): string[] {
  const cookie = formatCookie(SESSION_COOKIE, session, SESSION_MS / 1000);
  return device === null ? [cookie] : [cookie, formatCookie(DEVICE_COOKIE, device, DEVICE_SECONDS)];
}

/** A body in the shape of its schema. @throws PlacardError `validation_failed` naming each field */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => ({
    path: issue.path.join('.') || 'body',
    code: issue.code,
    message: issue.message,
  }));
  throw new PlacardError('validation_failed', 'Some fields are missing or wrong.', { fields });
}
