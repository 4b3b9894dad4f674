import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  clockTolerance,
  type Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  type IDToken,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { fieldError, PlacardError } from '../../domain/errors.ts';
import { fetchOutbound, type OutboundPolicy } from '../../http/shared/outbound-fetch.ts';
import type { ProvedIdentity } from './identities.sql.ts';
import {
  findIdentityProvider,
  type IdentityProvider,
  INSTALLATION_PROVIDER,
  networkOf,
} from './identity-providers.sql.ts';
import { type OidcRefusal, refusalOf, refusedSignIn } from './oidc-refusal.ts';
import { type SignInAttemptDeps, startAttempt, consumeAttempt } from './sign-in-attempts.sql.ts';
import { normalizeEmail } from '../users/users.sql.ts';

/** The operator's settings for sign-in by OpenID Connect. */
export interface OidcSettings {
  /** The installation's provider; null: none. */
  readonly provider: IdentityProvider | null;
  /** Hosts of issuers that networks may choose; `*`: any. Empty: a network cannot configure its own provider. */
  readonly networkIssuers: readonly string[];
  /** Addresses beside public ones that providers of networks may have. */
  readonly allowedRanges: readonly string[];
  /** Whether a provider on this machine may speak plain HTTP. */
  readonly allowHttpLoopback: boolean;
}

/** Dependencies of sign-in by OpenID Connect. */
export interface OidcDeps extends SignInAttemptDeps {
  readonly publicUrl: string;
  readonly settings: OidcSettings;
  nowMs(): number;
}

/** The purpose of a round trip to a provider. */
export interface OidcPurpose {
  readonly kind: 'sign-in' | 'connect' | 'verify';
  /** The session that began it; null for a sign-in. */
  readonly sessionId: string | null;
  readonly userId: string | null;
  /** Where the browser goes in the end: an address of the console. */
  readonly next: string;
}

/** A finished round trip. */
export interface OidcResult {
  readonly purpose: OidcPurpose;
  readonly identity: ProvedIdentity;
}

interface AttemptState extends OidcPurpose {
  readonly provider: string;
  readonly issuer: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

const CONFIGURATION_MS = 3_600_000;
const CONFIGURATIONS_MAX = 200;
const CLOCK_SKEW_SECONDS = 60;
/** A member who verifies their identity again must have signed in at the provider within this time. */
const FRESH_SECONDS = 300;
const TIMEOUT_SECONDS = 15;

/** Sign-in by OpenID Connect: authorization code with PKCE, state and nonce, each stored here and used once. */
export class Oidc {
  readonly #deps: OidcDeps;
  readonly #configurations = new Map<string, { readonly atMs: number; readonly configuration: Configuration }>();

  constructor(deps: OidcDeps) {
    this.#deps = deps;
  }

  /** Whether networks may have providers of their own. */
  get areNetworksAllowed(): boolean {
    return this.#deps.settings.networkIssuers.length > 0;
  }

  /** The address that a provider must send browsers back to; each provider has its own, so that none can impersonate another. */
  callbackOf(providerId: string): string {
    return `${new URL(this.#deps.publicUrl).origin}/auth/oidc/${providerId}/callback`;
  }

  /** A provider by id; null when there is none, or the operator no longer allows it. */
  async findProvider(id: string): Promise<IdentityProvider | null> {
    if (id === INSTALLATION_PROVIDER) return this.#deps.settings.provider;
    if (!this.areNetworksAllowed) return null;
    const provider = await findIdentityProvider(this.#deps, id);
    return provider !== null && this.#isAllowedIssuer(provider.issuer) ? provider : null;
  }

  /**
   * Validates a network's settings of a provider, and fetches the provider's metadata.
   *
   * @throws PlacardError `validation_failed` naming `issuer`
   */
  async checkProvider(provider: IdentityProvider): Promise<void> {
    if (!URL.canParse(provider.issuer)) throw fieldError('issuer', 'not_an_address', 'write an https:// address');
    if (!this.#isAllowedIssuer(provider.issuer))
      throw fieldError('issuer', 'not_allowed', 'the operator of this installation does not allow this issuer');
    try {
      await this.#discover(provider);
    } catch (error) {
      throw fieldError('issuer', 'unreachable', `its metadata cannot be read: ${reasonOf(error)}`);
    }
  }

  /** Begins a round trip; returns the provider's address to go to, and the token to store. @throws PlacardError `unavailable` */
  async start(provider: IdentityProvider, purpose: OidcPurpose): Promise<{ url: string; token: string }> {
    const configuration = await this.#configurationOf(provider);
    const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const state: AttemptState = { ...purpose, provider: provider.id, issuer: provider.issuer, ...secrets };
    const attempt = { purpose: 'oidc', userId: purpose.userId, state } as const;
    const token = await startAttempt(this.#deps, attempt, new Date(this.#deps.nowMs()));
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.callbackOf(provider.id),
      scope: 'openid email profile',
      response_type: 'code',
      code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
      state: secrets.state,
      nonce: secrets.nonce,
      ...(purpose.kind === 'verify' ? { prompt: 'login', max_age: '0' } : {}),
    });
    return { url: url.href, token };
  }

  /**
   * Finishes a round trip: what it was for, and whom the provider vouches for.
   *
   * @throws PlacardError `invalid_credentials` for whatever is wrong with it; `unavailable` when the provider does not respond
   */
  async finish(call: {
    readonly providerId: string;
    readonly token: string;
    readonly query: string;
    readonly remoteAddress: string;
  }): Promise<OidcResult> {
    const now = new Date(this.#deps.nowMs());
    const attempt = await consumeAttempt<AttemptState>(this.#deps, { purpose: 'oidc', token: call.token }, now);
    if (attempt === null) throw refusedSignIn('attempt_over');
    if (attempt.state.provider !== call.providerId) throw refusedSignIn('other_provider');
    const { state, nonce, verifier, issuer, kind, sessionId, userId, next } = attempt.state;
    const provider = await this.findProvider(call.providerId);
    if (provider === null || provider.issuer !== issuer) throw refusedSignIn('provider_changed');
    if (new URLSearchParams(call.query).get('state') !== state) throw refusedSignIn('state_mismatch');
    const configuration = await this.#configurationOf(provider);
    const tokens = await authorizationCodeGrant(
      configuration,
      new URL(`${this.callbackOf(provider.id)}${call.query}`),
      {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
        ...(kind === 'verify' ? { maxAge: FRESH_SECONDS } : {}),
      },
    ).catch((error: unknown) => {
      throw refusedSignIn(refusalOf(error), reasonOf(error));
    });
    const claims = tokens.claims();
    if (claims === undefined) throw refusedSignIn('no_identity');
    const { name } = claims;
    // OpenID Connect Core, 2: at most 255 ASCII characters. Text that the database cannot store must not reach it.
    if (!/^[\x20-\x7e]{1,255}$/.test(claims.sub)) throw refusedSignIn('subject_not_usable');
    return {
      purpose: { kind, sessionId, userId, next },
      identity: {
        provider,
        subject: claims.sub,
        ...readEmail(claims),
        name: typeof name === 'string' ? name : '',
        remoteAddress: call.remoteAddress,
      },
    };
  }

  #isAllowedIssuer(issuer: string): boolean {
    const { networkIssuers } = this.#deps.settings;
    return networkIssuers.includes('*') || (URL.canParse(issuer) && networkIssuers.includes(new URL(issuer).hostname));
  }

  async #configurationOf(provider: IdentityProvider): Promise<Configuration> {
    const { id, issuer, clientId, clientSecret } = provider;
    const key = JSON.stringify([id, issuer, clientId, clientSecret]);
    const known = this.#configurations.get(key);
    if (known !== undefined && this.#deps.nowMs() - known.atMs < CONFIGURATION_MS) return known.configuration;
    const configuration = await this.#discover(provider).catch((error: unknown) => {
      throw new PlacardError('unavailable', `The sign-in provider does not respond: ${reasonOf(error)}`, {
        cause: error,
      });
    });
    if (this.#configurations.size >= CONFIGURATIONS_MAX) this.#configurations.clear();
    this.#configurations.set(key, { atMs: this.#deps.nowMs(), configuration });
    return configuration;
  }

  async #discover(provider: IdentityProvider): Promise<Configuration> {
    const { allowedRanges, allowHttpLoopback } = this.#deps.settings;
    const networkId = networkOf(provider);
    const policy: OutboundPolicy = {
      allowedRanges: networkId === null ? 'any' : allowedRanges,
      owner: networkId ?? '',
      allowHttpLoopback,
    };
    const guarded: CustomFetch = (url, { method, headers, body }) =>
      fetchOutbound(url, { method, headers, body: textOf(body) }, policy);
    const metadata = { client_secret: provider.clientSecret, [clockTolerance]: CLOCK_SKEW_SECONDS };
    const configuration = await discovery(new URL(provider.issuer), provider.clientId, metadata, undefined, {
      [customFetch]: guarded,
      timeout: TIMEOUT_SECONDS,
      // The guarded fetch itself allows plain HTTP only to this machine.
      execute: allowHttpLoopback ? [allowInsecureRequests] : [],
    });
    checkSignInPage(configuration.serverMetadata().authorization_endpoint, allowHttpLoopback);
    return configuration;
  }
}

/** The console follows this address: it must be the address of a page, never a `javascript:` URL from a network's own provider. */
function checkSignInPage(address: unknown, allowHttpLoopback: boolean): void {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  const isLoopback = url !== null && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  const isPage = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback && allowHttpLoopback);
  if (!isPage) throw new Error('Its authorization_endpoint is not an https:// address.');
}

/** The address that a provider vouches for, or why there is none. */
function readEmail({ email, email_verified: isVerified }: IDToken): {
  readonly verifiedEmail: string | null;
  readonly emailRefusal: OidcRefusal | null;
} {
  if (typeof email !== 'string') return { verifiedEmail: null, emailRefusal: 'email_missing' };
  if (isVerified !== true) return { verifiedEmail: null, emailRefusal: 'email_not_verified' };
  const verifiedEmail = verifiedAddress(email);
  return { verifiedEmail, emailRefusal: verifiedEmail === null ? 'email_not_usable' : null };
}

/**
 * An address that a provider has verified, as accounts store it; null when it is not an address. Only the case of A to Z is folded: another
 * letter that folds into one of these, such as the Kelvin sign, belongs to another mailbox.
 */
function verifiedAddress(email: string): string | null {
  const address = email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  try {
    return normalizeEmail(address) === address ? address : null;
  } catch {
    return null;
  }
}

function textOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('Requests to providers have text for a body.');
}

/** The message of an error with its nested causes, for a log or an admin. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: unknown; cause?: unknown };
  const inner = cause instanceof Error ? ` (${cause.message})` : '';
  return `${typeof message === 'string' ? message : 'unknown'}${inner}`.slice(0, 300);
}
