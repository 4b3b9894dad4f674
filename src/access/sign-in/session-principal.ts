import type { Kysely } from 'kysely';
import type { IncomingHttpHeaders } from 'node:http';
import { PlacardError } from '../../domain/errors.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { sourceOf } from '../limits/attempt-limit.ts';
import { readCookie, SESSION_COOKIE } from '../permissions/cookies.ts';
import type { WorkspaceRecord } from '../keys/directory-data.ts';
import type { KeyDirectory } from '../keys/key-directory.ts';
import type { AuthenticatedPrincipal } from '../permissions/permissions.ts';
import { checkSameOrigin } from '../permissions/same-origin.ts';
import { findSession, readMembershipRole, type Session } from '../permissions/sessions.sql.ts';
import { verificationOf } from '../permissions/verification.ts';
import { listMemberships } from '../users/users.sql.ts';
import { ROLE_PERMISSION } from '../users/roles.ts';

/** The header in which the console names its network when the address has none. */
export const NETWORK_HEADER = 'x-placard-network';

/** Dependencies of authentication by cookie. */
export interface SessionDeps {
  readonly sql: Kysely<Database>;
  readonly pepper: Buffer;
  readonly directory: KeyDirectory;
  nowMs(): number;
}

/** A request that may come with a session. */
export interface SessionAttempt {
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  readonly environment: Environment;
  readonly networkId?: string;
}

/**
 * The signed-in user of a request in the network it names (by its address, else by `x-placard-network`, else the user's only
 * one); null when the request has no session. Roles give permissions; operators are admins everywhere.
 *
 * @throws PlacardError `csrf_refused`, `invalid_credentials` (session over), `invalid_request` (no network named),
 * `unknown_network` (also for one that the user does not belong to)
 */
export async function identifySession(
  deps: SessionDeps,
  attempt: SessionAttempt,
): Promise<{ principal: AuthenticatedPrincipal; workspace: WorkspaceRecord } | null> {
  const session = await requireSession(deps, attempt.headers);
  if (session === null) return null;
  const networkId = attempt.networkId ?? (await chooseNetwork(deps, attempt.headers, session));
  if (session.networkId !== null && session.networkId !== networkId) throw new PlacardError('unknown_network');
  const workspace = isDecimalId(networkId) ? await findWorkspace(deps, networkId, attempt) : null;
  if (workspace === null) throw new PlacardError('unknown_network');
  const role = session.operator ? 'admin' : await readMembershipRole(deps.sql, session.userId, networkId);
  if (role === null) throw new PlacardError('unknown_network');
  const principal: AuthenticatedPrincipal = {
    kind: 'session',
    actor: `user:${session.userId} ${session.email}`,
    id: session.userId,
    workspaceId: workspace.workspaceId,
    networkId,
    environment: workspace.environment,
    permission: ROLE_PERMISSION[role],
    modules: null,
    verification: verificationOf(session, deps.nowMs()),
    remoteAddress: attempt.remoteAddress,
  };
  return { principal, workspace };
}

/** This also finds a new network. */
async function findWorkspace(
  { directory }: SessionDeps,
  networkId: string,
  { environment, remoteAddress }: SessionAttempt,
): Promise<WorkspaceRecord | null> {
  const known = directory.findWorkspace(networkId, environment);
  if (known !== null) return known;
  await directory.lookUp({ kind: 'networkIds', name: networkId }, sourceOf(remoteAddress));
  return directory.findWorkspace(networkId, environment);
}

/**
 * The session of a request's cookie; null when there is no cookie.
 *
 * @throws PlacardError `csrf_refused`; `invalid_credentials` when the session is over.
 */
export async function requireSession(
  deps: Pick<SessionDeps, 'sql' | 'pepper' | 'nowMs'>,
  headers: IncomingHttpHeaders,
): Promise<Session | null> {
  const value = readCookie(headers.cookie, SESSION_COOKIE);
  if (value === null) return null;
  checkSameOrigin(headers);
  const session = await findSession(deps.sql, deps.pepper, value, new Date(deps.nowMs()));
  if (session === null) throw new PlacardError('invalid_credentials', 'The session is over; sign in again');
  return session;
}

async function chooseNetwork(deps: SessionDeps, headers: IncomingHttpHeaders, session: Session): Promise<string> {
  const named = headers[NETWORK_HEADER];
  if (typeof named === 'string' && named !== '') return named;
  if (session.networkId !== null) return session.networkId;
  const memberships = await listMemberships(deps.sql, session.userId);
  const only = memberships.length === 1 ? memberships[0] : undefined;
  if (only !== undefined) return only.networkId;
  throw new PlacardError('invalid_request', `Name the network in the ${NETWORK_HEADER} header.`);
}
