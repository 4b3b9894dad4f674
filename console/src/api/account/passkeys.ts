import type * as WebAuthn from '@simplewebauthn/browser';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { ApiProblem } from '../transport/problem.ts';
import { sendJson } from '../transport/send.ts';

/** One passkey of the signed-in person. Instants are ISO 8601. */
export interface PasskeyEntry {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** The server's request for a passkey, and the name of the attempt. */
export interface AskedPasskey {
  readonly attempt: string;
  readonly options: PublicKeyCredentialRequestOptionsJSON;
}

/** The browser's response. */
export interface GivenPasskey {
  readonly attempt: string;
  readonly response: AuthenticationResponseJSON;
}

function post<T>(path: string, body: object = {}): Promise<T> {
  return sendJson<T>(path, { method: 'POST', body });
}

/** Whether this browser knows passkeys. */
export function canUsePasskeys(): boolean {
  return typeof globalThis.PublicKeyCredential === 'function';
}

/** Asks the browser for a passkey. @throws ApiProblem `passkey_failed` when none is given */
export async function requestPasskey({ attempt, options }: AskedPasskey): Promise<GivenPasskey> {
  return {
    attempt,
    response: await inBrowser(({ startAuthentication }) => startAuthentication({ optionsJSON: options })),
  };
}

/** Signs in with a passkey alone. @throws ApiProblem `passkey_failed`, `invalid_credentials` */
export async function signInWithPasskey(): Promise<void> {
  const asked = await post<AskedPasskey>('/auth/passkeys/sign-in/start');
  await post('/auth/passkeys/sign-in', await requestPasskey(asked));
}

/** Proves with a passkey who is there. @throws ApiProblem `passkey_failed`, `invalid_credentials` */
export async function verifyWithPasskey(): Promise<void> {
  const asked = await post<AskedPasskey>('/auth/verify/passkey/start');
  await post('/auth/verify/passkey', await requestPasskey(asked));
}

/** One's own passkeys, and whether this address can have some. */
export function listPasskeys(
  signal: AbortSignal,
): Promise<{ readonly available: boolean; readonly passkeys: readonly PasskeyEntry[] }> {
  return sendJson('/auth/passkeys', { signal });
}

/** Makes a passkey in this browser and adds it. @throws ApiProblem `passkey_failed`, `validation_failed`, `conflict` */
export async function addPasskey(name: string): Promise<void> {
  const asked = await post<{ attempt: string; options: PublicKeyCredentialCreationOptionsJSON }>(
    '/auth/passkeys/add/start',
  );
  const response = await inBrowser(({ startRegistration }) => startRegistration({ optionsJSON: asked.options }));
  await post('/auth/passkeys/add', { attempt: asked.attempt, name, response });
}

/** Removes a passkey. */
export async function removePasskey(id: string): Promise<void> {
  await post('/auth/passkeys/remove', { id });
}

/** Browsers give many reasons, none of which helps: the person said no, or has no passkey here. */
async function inBrowser<T>(ask: (library: typeof WebAuthn) => Promise<T>): Promise<T> {
  // Few visits need it.
  const library = await import('@simplewebauthn/browser');
  try {
    return await ask(library);
  } catch (error) {
    throw new ApiProblem({ code: 'passkey_failed', message: error instanceof Error ? error.message : '', status: 400 });
  }
}
