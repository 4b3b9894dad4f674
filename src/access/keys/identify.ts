import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorCode } from '../../domain/error-codes.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import { readApiKeyEnvironment, shownPrefix } from './api-key.ts';
import type { WorkspaceRecord } from './directory-data.ts';
import type { WantedName } from './directory-lookup.ts';
import { digestHeaderToken, isHeaderToken, isLogin, LOGIN_HEADER, TOKEN_HEADER } from './header-credential.ts';
import type { FoundKey, FoundPair, KeyDirectory } from './key-directory.ts';
import type { AuthenticatedPrincipal, OperationRule } from '../permissions/permissions.ts';
import { digestSecret, isSameDigest } from '../secrets/secret-text.ts';

/** One call to authenticate. */
export interface AuthAttempt {
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  readonly environment: Environment;
  readonly rule: OperationRule;
  /** The network of the address, where it has one: credentials of another network are then invalid (H2). */
  readonly networkId?: string;
}

/** Why credentials were refused: for the audit log, never for the caller. */
export type RefusalReason =
  | 'malformed'
  | 'unknown'
  | 'revoked'
  | 'expired'
  | 'disabled'
  | 'wrong_token'
  | 'wrong_password'
  | 'wrong_code'
  | 'wrong_environment'
  | 'wrong_network'
  | 'two_networks'
  | 'address';

/** Invalid credentials. */
export interface Refusal {
  readonly error: PlacardError;
  readonly reason: RefusalReason;
  /** The network that the credential belongs to, '0' when it belongs to none. */
  readonly networkId: string;
  readonly workspaceId: number | null;
  /** The shown part of a key, `login:` and the login, or ''. */
  readonly credential: string;
  /** Set when the credential is not in memory: it may be new. */
  readonly unknown?: WantedName;
}

/** The result of an attempt. `none`: the request has no credentials of these schemes. */
export type Identification =
  | { readonly kind: 'known'; readonly principal: AuthenticatedPrincipal; readonly workspace: WorkspaceRecord }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'none' };

interface Known {
  readonly principal: AuthenticatedPrincipal;
  readonly workspace: WorkspaceRecord;
}

/** Dependencies of identification. */
export interface IdentifyDeps {
  readonly directory: KeyDirectory;
  readonly pepper: Buffer;
  nowMs(): number;
}

/**
 * Identifies the caller by the `Authorization` and `x-internal-auth-` headers, synchronously (K8, H2, H4). When both schemes come, both
 * must be valid and of one network; the principal is then the one whose scheme the operation takes.
 */
export function identify(deps: IdentifyDeps, attempt: AuthAttempt): Identification {
  const bearer = textHeader(attempt.headers.authorization);
  const login = textHeader(attempt.headers[LOGIN_HEADER]);
  const token = textHeader(attempt.headers[TOKEN_HEADER]);
  if (bearer === null && login === null && token === null) return { kind: 'none' };
  const key = bearer === null ? null : identifyKey(deps, attempt, bearer);
  if (key !== null && 'reason' in key) return { kind: 'refused', refusal: key };
  const pair = login === null && token === null ? null : identifyPair(deps, attempt, login, token);
  if (pair !== null && 'reason' in pair) return { kind: 'refused', refusal: pair };
  return joinSchemes(attempt, key, pair);
}

function joinSchemes(attempt: AuthAttempt, key: Known | null, pair: Known | null): Identification {
  if (key === null || pair === null) {
    const only = key ?? pair;
    if (only === null) return { kind: 'none' };
    if (!attempt.rule.schemes.includes(only.principal.kind)) return { kind: 'none' };
    return { kind: 'known', ...only };
  }
  if (key.workspace.workspaceId !== pair.workspace.workspaceId) {
    return { kind: 'refused', refusal: refuse('two_networks', key.workspace, key.principal.actor) };
  }
  const [first, second] = attempt.rule.schemes.includes('apiKey') ? [key, pair] : [pair, key];
  if (!attempt.rule.schemes.includes(second.principal.kind)) return { kind: 'known', ...first };
  return { kind: 'known', workspace: first.workspace, principal: { ...first.principal, also: second.principal } };
}

/** A header's text; null when missing, empty, or the literal `undefined` that some clients send for "none". */
function textHeader(value: string | string[] | undefined): string | null {
  const text = Array.isArray(value) ? value.join(',') : value;
  return text === undefined || text === '' || text === 'undefined' ? null : text;
}

function identifyKey(deps: IdentifyDeps, attempt: AuthAttempt, authorization: string): Known | Refusal {
  const value = keyValueOf(authorization, attempt.rule);
  const environment = value === null ? null : readApiKeyEnvironment(value);
  if (value === null || environment === null) return refuse('malformed', null, '');
  const shown = shownPrefix(value);
  const digest = digestSecret(deps.pepper, 'api-key', value).toString('hex');
  const key = deps.directory.findKey(digest);
  if (key === null) return { ...refuse('unknown', null, shown), unknown: { kind: 'digests', name: digest } };
  const nowMs = deps.nowMs();
  if (key.revokedAtMs !== null) return refuse('revoked', key.workspace, shown);
  if (key.expiresAtMs !== null && nowMs >= key.expiresAtMs) return refuse('expired', key.workspace, shown);
  const misplaced = checkWorkspace(attempt, key.workspace, shown);
  if (misplaced !== null) return misplaced;
  if (!key.admits(attempt.remoteAddress)) return refuse('address', key.workspace, shown, 'ip_not_allowed');
  return { principal: { ...keyPrincipal(key, attempt.remoteAddress), ...agentOf(attempt) }, workspace: key.workspace };
}

/** The key of `Bearer <key>`. The Reports API also takes the bare key, as Cube's clients send it. */
function keyValueOf(authorization: string, rule: OperationRule): string | null {
  const match = /^bearer +(\S+) *$/i.exec(authorization);
  if (match !== null) return match[1] ?? null;
  return rule.limit === 'reports' && authorization.startsWith('plc_') ? authorization : null;
}

function identifyPair(
  deps: IdentifyDeps,
  attempt: AuthAttempt,
  login: string | null,
  token: string | null,
): Known | Refusal {
  if (login === null || token === null) return halfPair(login);
  if (!isLogin(login) || !isHeaderToken(token)) return refusePair('malformed', null, login);
  const pair = deps.directory.findPair(login);
  const digest = digestHeaderToken(deps.pepper, login, token);
  if (pair === null) return { ...refusePair('unknown', null, login), unknown: { kind: 'logins', name: login } };
  if (!isSameDigest(digest, Buffer.from(pair.digest, 'hex'))) return refusePair('wrong_token', pair.workspace, login);
  if (pair.disabledAtMs !== null) return refusePair('disabled', pair.workspace, login);
  const misplaced = checkWorkspace(attempt, pair.workspace, `login:${login}`);
  if (misplaced !== null) return { ...misplaced, error: pairError() };
  return { principal: pairPrincipal(pair, attempt.remoteAddress), workspace: pair.workspace };
}

function halfPair(login: string | null): Refusal {
  const missing = login === null ? LOGIN_HEADER : TOKEN_HEADER;
  const error = new PlacardError('authentication_required', `Missing ${missing} header`);
  return { error, reason: 'malformed', networkId: '0', workspaceId: null, credential: '' };
}

function checkWorkspace(attempt: AuthAttempt, workspace: WorkspaceRecord, credential: string): Refusal | null {
  if (workspace.environment !== attempt.environment) return refuse('wrong_environment', workspace, credential);
  if (attempt.networkId !== undefined && attempt.networkId !== workspace.networkId) {
    return refuse('wrong_network', workspace, credential);
  }
  return null;
}

function refusePair(reason: RefusalReason, workspace: WorkspaceRecord | null, login: string): Refusal {
  const credential = isLogin(login) ? `login:${login}` : 'login:(malformed)';
  return { ...refuse(reason, workspace, credential), error: pairError() };
}

function pairError(): PlacardError {
  return new PlacardError('invalid_credentials', 'Invalid or disabled login or token');
}

function refuse(
  reason: RefusalReason,
  workspace: WorkspaceRecord | null,
  credential: string,
  code: ErrorCode = 'invalid_credentials',
): Refusal {
  const error = new PlacardError(code);
  return {
    error,
    reason,
    networkId: workspace?.networkId ?? '0',
    workspaceId: workspace?.workspaceId ?? null,
    credential,
  };
}

function keyPrincipal(key: FoundKey, remoteAddress: string): AuthenticatedPrincipal {
  return {
    kind: 'apiKey',
    actor: `key:${key.id} ${JSON.stringify(key.name)}`,
    id: key.id,
    workspaceId: key.workspaceId,
    networkId: key.workspace.networkId,
    environment: key.workspace.environment,
    permission: key.permission,
    modules: key.modules,
    ...(key.buyer === undefined ? {} : { buyer: key.buyer }),
    remoteAddress,
  };
}

const AGENT_HEADER = 'placard-agent';

/** The agent that a request names: what it changes is marked in the audit log. */
function agentOf({ headers }: AuthAttempt): { readonly agent?: string } {
  const agent = textHeader(headers[AGENT_HEADER]);
  return agent === null ? {} : { agent };
}

/** A pair only reads reports. */
function pairPrincipal(pair: FoundPair, remoteAddress: string): AuthenticatedPrincipal {
  return {
    kind: 'headerCredential',
    actor: `credential:${pair.id} ${JSON.stringify(pair.name)}`,
    id: pair.id,
    workspaceId: pair.workspaceId,
    networkId: pair.workspace.networkId,
    environment: pair.workspace.environment,
    permission: 'read-only',
    modules: ['REPORTS'],
    remoteAddress,
  };
}
