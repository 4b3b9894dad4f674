import type { GivenPasskey } from './passkeys.ts';
import { sendJson } from '../transport/send.ts';

/** The rights of a person in one network. */
export type Role = 'viewer' | 'editor' | 'admin';

/** From narrow to wide. */
export const ROLES: readonly Role[] = ['viewer', 'editor', 'admin'];

/** A network that the signed-in person can open. */
export interface NetworkMembership {
  readonly id: string;
  readonly name: string;
  /** IANA name. */
  readonly timezone: string;
  readonly role: Role;
}

/** Who is signed in. */
export interface Session {
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly operator: boolean;
    readonly secondFactor: boolean;
  };
  readonly networks: readonly NetworkMembership[];
  /** The only network that this session opens, when that network's own provider started it. */
  readonly limitedTo: string | null;
}

/** One sign-in that is in force. Instants are ISO 8601. */
export interface SessionEntry {
  readonly id: string;
  readonly userAgent: string;
  readonly remoteAddress: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
  readonly current: boolean;
}

/** The purpose of a one-time link. */
export interface Invitation {
  readonly purpose: 'join' | 'password';
  readonly email: string;
  readonly networkName: string | null;
  readonly role: Role | null;
}

function post<T>(path: string, body: object = {}): Promise<T> {
  return sendJson<T>(path, { method: 'POST', body });
}

/** @throws ApiProblem 401 when nobody is signed in */
export function loadSession(signal?: AbortSignal): Promise<Session> {
  return sendJson<Session>('/auth/me', signal === undefined ? {} : { signal });
}

/** Uses up the link that a start printed. @throws ApiProblem `invalid_credentials` for a link that was used or is too old */
export async function signInByLink(token: string): Promise<void> {
  await post('/auth/sign-in-by-link', { token });
}

/** @throws ApiProblem `invalid_credentials`; `authentication_required` when only the second factor's code is missing */
export async function signIn(input: {
  email: string;
  password: string;
  code?: string;
  passkey?: GivenPasskey;
}): Promise<void> {
  await post('/auth/sign-in', input);
}

/** Ends this session. */
export async function signOut(): Promise<void> {
  await post('/auth/sign-out');
}

/** The sign-ins of the signed-in person. */
export async function listSessions(signal: AbortSignal): Promise<readonly SessionEntry[]> {
  return (await sendJson<{ sessions: readonly SessionEntry[] }>('/auth/sessions', { signal })).sessions;
}

/** Ends one sign-in. */
export async function endSession(id: string): Promise<void> {
  await post('/auth/sessions/end', { id });
}

/** Ends every sign-in but this one. */
export async function endOtherSessions(): Promise<void> {
  await post('/auth/sessions/end-others');
}

/** Changes one's own password; every other sign-in ends. */
export async function changePassword(next: string): Promise<void> {
  await post('/auth/password', { next });
}

/** Reads the purpose of a link. @throws ApiProblem `gone` */
export function showInvitation(token: string): Promise<Invitation> {
  return post<Invitation>('/auth/invitations/show', { token });
}

/** Accepts an invitation, or sets a new password by a link. */
export async function acceptInvitation(input: { token: string; name: string; password: string }): Promise<void> {
  await post('/auth/invitations/accept', input);
}

/** Asks for a mail with a link to a new password; false where no mail is sent. Says the same for every address. */
export async function forgetPassword(email: string): Promise<boolean> {
  return (await post<{ isMailed: boolean }>('/auth/password/forgot', { email })).isMailed;
}

/** Asks for a mail that proves a new address. @throws ApiProblem `verification_required` */
export async function startAddressChange(input: { email: string; password?: string }): Promise<void> {
  await post('/auth/email/start', input);
}

/** Makes a proven address the one of the account. @throws ApiProblem `gone`, `conflict` */
export async function confirmAddress(token: string): Promise<string> {
  return (await post<{ email: string }>('/auth/email/confirm', { token })).email;
}

/** Begins to set up a second factor; the secret is shown once. */
export function startSecondFactor(): Promise<{ secret: string; uri: string }> {
  return post('/auth/second-factor/start');
}

/** Puts it in force with a first code; the recovery codes are shown once. */
export async function confirmSecondFactor(code: string): Promise<readonly string[]> {
  return (await post<{ recoveryCodes: readonly string[] }>('/auth/second-factor/confirm', { code })).recoveryCodes;
}

/** Removes the second factor. */
export async function removeSecondFactor(): Promise<void> {
  await post('/auth/second-factor/remove');
}
