import { isIP } from 'node:net';
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Kysely } from 'kysely';
import { fieldError, PlacardError } from '../../domain/errors.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { AuditActor } from '../audit/audit.sql.ts';
import { addPasskey, findPasskey, readPasskeys, type StoredPasskey, touchPasskey } from './passkeys.sql.ts';
import { digestSecret, isSameDigest } from '../secrets/secret-text.ts';
import type { Session } from '../permissions/sessions.sql.ts';
import { type AttemptPurpose, startAttempt, consumeAttempt } from './sign-in-attempts.sql.ts';

/** Dependencies of passkeys. */
export interface PasskeyDeps {
  readonly sql: Kysely<Database>;
  readonly pepper: Buffer;
  /** The address under which browsers reach the core; passkeys are bound to its host. */
  readonly publicUrl: string;
  nowMs(): number;
}

/** The request to a browser, and the token that finds its state. */
export interface AskedPasskey {
  readonly attempt: string;
  readonly options: PublicKeyCredentialRequestOptionsJSON;
}

/** The response of a browser. */
export interface GivenPasskey {
  readonly attempt: string;
  readonly response: AuthenticationResponseJSON;
}

interface AttemptState {
  readonly challenge: string;
  readonly sessionId: string | null;
}

const RP_NAME = 'Placard';
/** EdDSA, ES256, RS256 (COSE): every authenticator supports one of these. */
const ALGORITHMS = [-8, -7, -257];

/**
 * Passkeys (WebAuthn): registering them, and checking their signatures. Every challenge is stored here and works once, within five minutes,
 * for the session or account that it was made for. The relying party is the host of the public address.
 */
export class Passkeys {
  readonly #deps: PasskeyDeps;
  readonly #origin: string;
  /** Null when the public address has no name that a browser accepts. */
  readonly #rpId: string | null;

  constructor(deps: PasskeyDeps) {
    this.#deps = deps;
    const url = new URL(deps.publicUrl);
    this.#origin = url.origin;
    const isSecure = url.protocol === 'https:' || url.hostname === 'localhost';
    this.#rpId = isSecure && isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 ? url.hostname : null;
  }

  /** Whether browsers can make passkeys for the public address: it needs a host name and HTTPS (or is localhost). */
  get isAvailable(): boolean {
    return this.#rpId !== null;
  }

  /** Begins to add a passkey to the account of a session. @throws PlacardError `unavailable` */
  async startAdding(session: Session): Promise<{ attempt: string; options: PublicKeyCredentialCreationOptionsJSON }> {
    const known = await readPasskeys(this.#deps.sql, session.userId);
    const options = await generateRegistrationOptions({
      rpName: RP_NAME,
      rpID: this.#requireRpId(),
      userName: session.email,
      userDisplayName: session.name,
      userID: new Uint8Array(this.#handleOf(session.userId)),
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: known.map(toDescriptor),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    return { attempt: await this.#remember('passkey-add', options.challenge, session), options };
  }

  /**
   * Adds the passkey that a browser has made.
   *
   * @throws PlacardError `validation_failed` when the response is not one to what this session was asked; as `addPasskey`
   */
  async finishAdding(
    session: Session,
    given: { readonly attempt: string; readonly name: string; readonly response: RegistrationResponseJSON },
    by: AuditActor,
  ): Promise<{ id: string }> {
    const state = await this.#recall('passkey-add', given.attempt, session);
    const verified = state === null ? null : await this.#verifyAdding(state, given.response);
    if (verified === null)
      throw fieldError('response', 'wrong_passkey', 'this response does not match the challenge; start again');
    const { credential } = verified;
    const passkey = {
      userId: session.userId,
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
    };
    return addPasskey(this.#deps.sql, { ...passkey, name: given.name, by }, this.#now());
  }

  /** Asks for any passkey, to sign in with it alone. @throws PlacardError `unavailable` */
  async askToSignIn(): Promise<AskedPasskey> {
    const options = await generateAuthenticationOptions({ rpID: this.#requireRpId(), userVerification: 'required' });
    return { attempt: await this.#remember('passkey-sign-in', options.challenge, null), options };
  }

  /** Asks for a passkey of one account as its second factor; null when it has none. */
  async askForFactor(userId: string): Promise<AskedPasskey | null> {
    return this.#askPerson('passkey-factor', { userId, id: null }, 'preferred');
  }

  /** Asks the member of a session for a passkey, to verify their identity again; null when they have none. */
  async askToVerify(session: Session): Promise<AskedPasskey | null> {
    return this.#askPerson('passkey-verify', session, 'required');
  }

  /** The user who signed in with a passkey; null when the passkey proves nothing. */
  async checkSignIn({ attempt, response }: GivenPasskey): Promise<string | null> {
    const state = await this.#recall('passkey-sign-in', attempt, null);
    const passkey = state === null ? null : await this.#check(state, response, { needsPerson: true });
    return passkey?.userId ?? null;
  }

  /** Whether this is a passkey of the account of the password that came with it. */
  async checkFactor(userId: string, { attempt, response }: GivenPasskey): Promise<boolean> {
    const state = await this.#recall('passkey-factor', attempt, { userId, id: null });
    const passkey = state === null ? null : await this.#check(state, response, { needsPerson: false });
    return passkey?.userId === userId;
  }

  /** Whether this is a passkey of the session's member, with user verification. */
  async checkVerify(session: Session, { attempt, response }: GivenPasskey): Promise<boolean> {
    const state = await this.#recall('passkey-verify', attempt, session);
    const passkey = state === null ? null : await this.#check(state, response, { needsPerson: true });
    return passkey?.userId === session.userId;
  }

  async #askPerson(
    purpose: AttemptPurpose,
    person: { readonly userId: string; readonly id: string | null },
    userVerification: 'required' | 'preferred',
  ): Promise<AskedPasskey | null> {
    const known = await readPasskeys(this.#deps.sql, person.userId);
    if (known.length === 0 || this.#rpId === null) return null;
    const allowCredentials = known.map(toDescriptor);
    const options = await generateAuthenticationOptions({ rpID: this.#rpId, userVerification, allowCredentials });
    return { attempt: await this.#remember(purpose, options.challenge, person), options };
  }

  /** The passkey of this signature; null when anything is wrong with it. */
  async #check(
    { challenge }: AttemptState,
    response: AuthenticationResponseJSON,
    { needsPerson }: { readonly needsPerson: boolean },
  ): Promise<StoredPasskey | null> {
    const passkey = await findPasskey(this.#deps.sql, Buffer.from(response.id, 'base64url'));
    if (passkey === null || !this.#isHandleOf(passkey.userId, response.response.userHandle)) return null;
    const counter = await this.#verifySignature(challenge, response, passkey, needsPerson);
    if (counter === null) return null;
    return (await touchPasskey(this.#deps.sql, passkey, counter, this.#now())) ? passkey : null;
  }

  /** The new counter of a valid signature. The library throws for any fault of a response. */
  async #verifySignature(
    expectedChallenge: string,
    response: AuthenticationResponseJSON,
    passkey: StoredPasskey,
    requireUserVerification: boolean,
  ): Promise<number | null> {
    const { credentialId, publicKey, counter } = passkey;
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge,
        expectedOrigin: this.#origin,
        expectedRPID: this.#requireRpId(),
        requireUserVerification,
        credential: { id: credentialId.toString('base64url'), publicKey: new Uint8Array(publicKey), counter },
      });
      return verified ? authenticationInfo.newCounter : null;
    } catch {
      return null;
    }
  }

  async #verifyAdding({ challenge }: AttemptState, response: RegistrationResponseJSON) {
    try {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: this.#origin,
        expectedRPID: this.#requireRpId(),
        requireUserVerification: false,
        supportedAlgorithmIDs: ALGORITHMS,
      });
      return verified ? registrationInfo : null;
    } catch {
      return null;
    }
  }

  #remember(
    purpose: AttemptPurpose,
    challenge: string,
    person: { readonly userId: string; readonly id: string | null } | null,
  ): Promise<string> {
    const state: AttemptState = { challenge, sessionId: person?.id ?? null };
    return startAttempt(this.#deps, { purpose, userId: person?.userId ?? null, state }, this.#now());
  }

  /** The request under a token, if it was made to this member in this session. */
  async #recall(
    purpose: AttemptPurpose,
    token: string,
    person: { readonly userId: string; readonly id: string | null } | null,
  ): Promise<AttemptState | null> {
    const attempt = await consumeAttempt<AttemptState>(this.#deps, { purpose, token }, this.#now());
    if (attempt === null || attempt.userId !== (person?.userId ?? null)) return null;
    return attempt.state.sessionId === (person?.id ?? null) ? attempt.state : null;
  }

  /** The account's handle that authenticators store; it reveals nothing about the account. */
  #handleOf(userId: string): Buffer {
    return digestSecret(this.#deps.pepper, 'passkey-user', userId);
  }

  #isHandleOf(userId: string, handle: string | undefined): boolean {
    return handle === undefined || isSameDigest(this.#handleOf(userId), Buffer.from(handle, 'base64url'));
  }

  #requireRpId(): string {
    if (this.#rpId !== null) return this.#rpId;
    throw new PlacardError('unavailable', 'Passkeys need a public address (PLACARD_CORE_PUBLIC_URL) with a host name.');
  }

  #now(): Date {
    return new Date(this.#deps.nowMs());
  }
}

function toDescriptor({ credentialId, transports }: StoredPasskey) {
  return { id: credentialId.toString('base64url'), transports: transports as AuthenticatorTransport[] };
}
