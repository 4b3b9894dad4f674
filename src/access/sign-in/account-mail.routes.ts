import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PlacardError } from '../../domain/errors.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import { changeAddress, requestAddressChange } from '../users/address-change.sql.ts';
import { AttemptLimit, type AttemptRule, sourceOf } from '../limits/attempt-limit.ts';
import { type AuthCallDeps, ownAccount, parseBody, verifiedSession } from './auth-call.ts';
import { requestPasswordReset } from '../users/password-reset.sql.ts';
import { checkSameOrigin } from '../permissions/same-origin.ts';
import { normalizeEmail } from '../users/users.sql.ts';

/** Requests for a new password from one source, whatever the address. */
const SOURCE_RULE: AttemptRule = {
  purpose: 'forgot',
  max: 20,
  windowMs: 900_000,
  message: 'Too many requests for a new password from this address',
};
/** The same over all sources, so that the outbox stays small. */
const ALL_RULE: AttemptRule = {
  purpose: 'forgot-all',
  max: 3_000,
  windowMs: 3_600_000,
  message: 'Too many requests for a new password; try again later',
};

/** New addresses of one member: each gets a mail and may not be theirs. */
const CHANGE_RULE: AttemptRule = {
  purpose: 'address-change',
  max: 10,
  windowMs: 86_400_000,
  message: 'Too many address changes for this account; try again tomorrow',
};

/** Dependencies of these routes. */
export interface AccountMailDeps extends AuthCallDeps {
  readonly hot: HotStore;
  /** Null: no mail is sent. */
  readonly mail: MailQueue | null;
}

const forgotBody = z.object({ email: z.string().min(1).max(254) });
const startBody = z.object({ email: z.string().min(1).max(254), password: z.string().min(1).max(256).optional() });
const confirmBody = z.object({ token: z.string().min(1).max(100) });

/** Adds the routes that work by mail: a forgotten password, and a new address for one's account. POST, JSON, refused from other origins. */
export function registerAccountMail(app: FastifyInstance, deps: AccountMailDeps): void {
  const sources = new AttemptLimit(deps, SOURCE_RULE);
  const all = new AttemptLimit(deps, ALL_RULE);
  const changes = new AttemptLimit(deps, CHANGE_RULE);
  const add = (url: string, handler: (request: FastifyRequest) => Promise<object>): void => {
    app.post(url, { bodyLimit: 16_384 }, async (request, reply) => {
      checkSameOrigin(request.headers);
      reply.header('cache-control', 'no-store');
      return handler(request);
    });
  };
  add('/auth/password/forgot', async (request) => {
    const { email } = parseBody(forgotBody, request.body);
    const refused = (await sources.count(sourceOf(request.clientAddress))) ?? (await all.count('all'));
    if (refused !== null) throw refused;
    return forgetPassword(deps, email, request.clientAddress);
  });
  add('/auth/email/start', (request) => startAddressChange(deps, changes, request));
  add('/auth/email/confirm', (request) => confirmAddressChange(deps, request));
}

/** States whether this installation sends mail; the same for every address. */
async function forgetPassword(deps: AccountMailDeps, email: string, remoteAddress: string): Promise<object> {
  const { sql, mail } = deps;
  if (mail === null) return { isMailed: false };
  // An invalid address has no account; the response does not reveal that.
  const address = isAddress(email) ? normalizeEmail(email) : null;
  if (address !== null) {
    await requestPasswordReset({ sql, mail }, { email: address, remoteAddress }, new Date(deps.nowMs()));
  }
  return { isMailed: true };
}

function isAddress(text: string): boolean {
  try {
    normalizeEmail(text);
    return true;
  } catch {
    return false;
  }
}

async function startAddressChange(
  deps: AccountMailDeps,
  changes: AttemptLimit,
  request: FastifyRequest,
): Promise<object> {
  const { mail } = deps;
  const body = parseBody(startBody, request.body);
  const session = await verifiedSession(deps, request, { action: 'account.changeAddress', password: body.password });
  if (mail === null) {
    throw new PlacardError('invalid_request', 'This installation sends no mail: the operator changes addresses.');
  }
  const change = { session, newAddress: normalizeEmail(body.email), remoteAddress: request.clientAddress };
  const refused = await changes.count(session.userId);
  if (refused !== null) throw refused;
  await requestAddressChange({ ...deps, mail }, change, new Date(deps.nowMs()));
  return {};
}

async function confirmAddressChange(deps: AccountMailDeps, request: FastifyRequest): Promise<object> {
  const { token } = parseBody(confirmBody, request.body);
  const session = await ownAccount(deps, request);
  const change = { token, session, remoteAddress: request.clientAddress };
  return changeAddress(deps, change, new Date(deps.nowMs()));
}
