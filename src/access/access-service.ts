import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Log } from '../domain/log/log.ts';
import type { PlacardError } from '../domain/errors.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import type { Environment } from '../domain/tenancy/workspace.ts';
import { ownResponse } from '../http/core/held-responses.ts';
import type { ProtectedRoute } from '../http/shared/protected-route.ts';
import type { HttpRequest, Route } from '../http/shared/route.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { HotStore } from '../storage/hot/hot-store.ts';
import type { InstallationSecrets } from '../storage/secrets.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../storage/sql/schema.ts';
import { createAccessMetrics } from './access-metrics.ts';
import { AttemptLimit, FAILED_AUTH_RULE, sourceOf } from './limits/attempt-limit.ts';
import { AttemptLog } from './sign-in/attempt-log.ts';
import { DirectoryFile } from './keys/directory-file.ts';
import { checkOpen } from './permissions/closed-network.ts';
import { environmentOf } from './permissions/environment-of.ts';
import { type GuardDeps, guardRoute, identifyAgain } from './guard.ts';
import { type AuthAttempt, type Identification, identify, type Refusal } from './keys/identify.ts';
import { LimitHeaders } from './limits/limit-headers.ts';
import { LeaseJournal } from './limits/lease-journal.ts';
import { type DirectoryNotice, KeyDirectory } from './keys/key-directory.ts';
import { limitExceeded, rateLimitHeaders } from './limits/limits.ts';
import type { OidcSettings } from './sign-in/oidc.ts';
import type { StartLink } from './sign-in/start-link.ts';
import {
  type AuthenticatedPrincipal,
  missingCredentials,
  requirePermission,
  ruleOf,
} from './permissions/permissions.ts';
import { LedgerLimits } from './limits/request-limits.ts';
import { identifySession, type SessionDeps } from './sign-in/session-principal.ts';
import { registerSigningIn } from './sign-in/signing-in.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the headers of limits go. */
    accessReply?: FastifyReply | null;
  }
}

/** Dependencies of the access service of one process. */
export interface AccessDeps {
  readonly sql: Kysely<Database>;
  readonly hot: HotStore;
  readonly secrets: InstallationSecrets;
  readonly dataDir: string;
  readonly log: Log;
  /** `core`, or `delivery-<slot>`: names this process's copy of the keys on disk. */
  readonly processName: string;
  /** Processes that share every limit (nodes × workers), at least 1. */
  readonly processes: number;
  /** The address under which browsers reach the core. Absent where nobody signs in. */
  readonly publicUrl?: string;
  /** Absent: nobody signs in by OpenID Connect. */
  readonly oidc?: OidcSettings;
  /** Absent: no link of a start signs anybody in. */
  readonly startLink?: StartLink;
  /** Absent: nothing is counted for operators. */
  readonly registry?: Registry;
  /** How often keys are read again without a notice of a change. Default 10,000 ms. */
  readonly keysRefreshMs?: number;
  /** Absent or null: no mail is sent. */
  readonly mail?: MailQueue | null;
  nowMs(): number;
}

/** The operation that a request of the core wants. */
export interface AuthenticateOptions {
  /** A name of the permission table, such as `reports.load`. */
  readonly operation: string;
  /** The network of the address, where it has one. */
  readonly networkId?: string;
  /** Default: decided by whether the address begins with `/staging/`. */
  readonly environment?: Environment;
}

/** Authentication, permissions and limits of one process, for every endpoint alike. */
export interface AccessService {
  readonly directory: KeyDirectory;
  readonly limits: LedgerLimits;
  /** Wraps a delivery route: authenticate, count, authorise, handle. */
  guardRoute(route: ProtectedRoute, environment: Environment): Route;
  /**
   * The `X-RateLimit-` headers of a delivery request that failed before a guarded handler ran; null without valid credentials, and
   * for routes without a limit. `route`: null when none matched.
   */
  failureHeaders(request: HttpRequest, route: Route | null): Promise<Record<string, string> | null>;
  /**
   * Authenticates a request of the core, counts it, and puts the `X-RateLimit-` headers on its reply (after {@link registerAccess}).
   *
   * @throws PlacardError authentication_required, invalid_credentials, ip_not_allowed, insufficient_permissions, rate_limit_exceeded
   */
  authenticate(request: FastifyRequest, options: AuthenticateOptions): Promise<AuthenticatedPrincipal>;
  /** Whether credentials are still valid for an operation of a network. Counts nothing, neither requests nor failures. */
  isKnown(call: Omit<AuthAttempt, 'rule'> & { readonly operation: string }): Promise<boolean>;
  /** Checks one more operation of an authenticated caller (a GraphQL field); returns the principal that may do it. */
  requirePermission(principal: AuthenticatedPrincipal, operation: string): Principal;
  /**
   * Lets `authenticate` set response headers, puts them on failures before it too, and adds the routes below `/auth`: signing in and out, invitations, one's own
   * account. Call it once on the core's server, before its other routes.
   */
  registerAccess(app: FastifyInstance): void;
  /** Give it every batch of the change feed, and null after each (re)connection. */
  onChange(notices: readonly DirectoryNotice[] | null): void;
  /**
   * @param isRestart the copy of the keys on disk is enough to begin with. Default false
   * @param databaseReady awaited before PostgreSQL is read, where there is no copy
   * @throws PlacardError `unavailable` when no keys can be loaded for 30 s.
   */
  start(isRestart?: boolean, databaseReady?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
  readiness(): Promise<readonly { name: string; ok: boolean; detail?: string }[]>;
}

/** Builds the service; nothing runs before `start`. */
export function createAccessService(deps: AccessDeps): AccessService {
  const file = new DirectoryFile(deps.dataDir, deps.processName, deps.secrets.pepper);
  const directory = new KeyDirectory({
    sql: deps.sql,
    file,
    log: deps.log,
    ...(deps.keysRefreshMs === undefined ? {} : { refreshMs: deps.keysRefreshMs }),
  });
  const journal = new LeaseJournal(deps.dataDir, deps.processName, deps.log);
  const limits = new LedgerLimits({ ...deps, journal });
  const metrics = createAccessMetrics(deps.registry, () => limits.ledgerFailures);
  const attempts = new AttemptLog(deps);
  const failures = new AttemptLimit(deps, FAILED_AUTH_RULE);
  const identifyDeps = { directory, pepper: deps.secrets.pepper, nowMs: () => deps.nowMs() };
  const guard: GuardDeps = {
    identify: (attempt) => identify(identifyDeps, attempt),
    lookUp: (unknown, remoteAddress) => directory.lookUp(unknown, sourceOf(remoteAddress)),
    refuse: (refusal, remoteAddress) => {
      metrics.countRefusal(refusal.reason);
      return refuse(attempts, failures, refusal, remoteAddress);
    },
    countLimited: (limit) => metrics.countLimited(limit),
    recordUse: (principal) => attempts.recordUse(principal),
    limits,
    log: deps.log,
  };
  const { pepper } = deps.secrets;
  // Only a core has people who sign in.
  const sessions = (): SessionDeps => ({ sql: deps.sql, pepper, directory, nowMs: () => deps.nowMs() });
  const mail = deps.mail ?? null;
  const limitHeaders = new LimitHeaders({
    limits,
    identify: (attempt) => guard.identify(attempt),
    findWorkspaceById: (workspaceId) => directory.findWorkspaceById(workspaceId),
  });
  return {
    directory,
    limits,
    guardRoute: (route, environment) =>
      limitHeaders.remember(guardRoute(guard, route, environment), ruleOf(route.operation).limit),
    failureHeaders: (request, route) => limitHeaders.ofFailure(request, route),
    authenticate: (request, options) =>
      authenticate({ guard, sessions: sessions() }, request, options, request.accessReply),
    isKnown: (call) => isKnown(guard, call),
    requirePermission,
    registerAccess: (app) => {
      rememberReplies(app);
      limitHeaders.addTo(app);
      const sql = deps.sql;
      const signInDeps = { sql, hot: deps.hot, pepper, attempts, mail, nowMs: () => deps.nowMs() };
      const more = { publicUrl: deps.publicUrl, oidc: deps.oidc, startLink: deps.startLink };
      registerSigningIn(app, { ...signInDeps, ...more }, (request, operation) =>
        authenticate({ guard, sessions: sessions() }, request, { operation }, request.accessReply),
      );
    },
    onChange: (notices) => directory.onChange(notices),
    start: async (isRestart = false, databaseReady) => {
      await directory.start(isRestart, databaseReady);
      limits.start();
      attempts.start();
    },
    stop: async () => {
      await directory.stop();
      await limits.stop();
      await attempts.stop();
    },
    readiness: async () => [directory.readiness()],
  };
}

/** Asks PostgreSQL only for a credential that memory does not hold. */
async function isKnown(
  guard: GuardDeps,
  { operation, ...call }: Parameters<AccessService['isKnown']>[0],
): Promise<boolean> {
  const attempt = { ...call, rule: ruleOf(operation) };
  const known = guard.identify(attempt);
  return (known.kind === 'refused' ? await identifyAgain(guard, attempt, known) : known).kind === 'known';
}

function rememberReplies(app: FastifyInstance): void {
  app.decorateRequest('accessReply', null);
  app.addHook('onRequest', (request, reply, done) => {
    request.accessReply = reply;
    done();
  });
}

/** Counts and logs a refusal; returns the error to respond with. */
async function refuse(
  attempts: AttemptLog,
  failures: AttemptLimit,
  refusal: Refusal,
  remoteAddress: string,
): Promise<PlacardError> {
  if (refusal.error.code === 'authentication_required') return refusal.error;
  attempts.recordRefusal(refusal, remoteAddress);
  if (refusal.error.code !== 'invalid_credentials') return refusal.error;
  return (await failures.count(sourceOf(remoteAddress))) ?? refusal.error;
}

async function authenticate(
  deps: { readonly guard: GuardDeps; readonly sessions: SessionDeps },
  request: FastifyRequest,
  options: AuthenticateOptions,
  reply: FastifyReply | null | undefined,
): Promise<AuthenticatedPrincipal> {
  const { guard } = deps;
  const rule = ruleOf(options.operation);
  const attempt: AuthAttempt = {
    headers: request.headers,
    remoteAddress: request.clientAddress,
    environment: options.environment ?? environmentOf(request.routeOptions.url ?? ''),
    rule,
    ...(options.networkId === undefined ? {} : { networkId: options.networkId }),
  };
  let known: Identification = guard.identify(attempt);
  if (known.kind === 'refused') known = await identifyAgain(guard, attempt, known);
  if (known.kind === 'none' && rule.schemes.includes('session')) {
    const session = await identifySession(deps.sessions, attempt);
    if (session !== null) known = { kind: 'known', ...session };
  }
  if (known.kind === 'none') throw missingCredentials(rule);
  if (known.kind === 'refused') throw await guard.refuse(known.refusal, attempt.remoteAddress);
  checkOpen(known.workspace, known.principal, rule);
  const admission = await guard.limits.admit(known.workspace, rule.limit);
  reply?.headers(rateLimitHeaders(admission));
  guard.recordUse(known.principal);
  if (!admission.admitted) {
    guard.countLimited(rule.limit);
    throw limitExceeded(admission, rule.limit);
  }
  requirePermission(known.principal, options.operation);
  ownResponse(request.raw, known.principal.networkId);
  return known.principal;
}
