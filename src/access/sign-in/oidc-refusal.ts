import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { PlacardError } from '../../domain/errors.ts';

/** Why a sign-in by OpenID Connect was refused: for the log, never for the caller. Each cause has its own code. */
export type OidcRefusal =
  | 'other_browser'
  | 'attempt_over'
  | 'other_provider'
  | 'provider_changed'
  | 'state_mismatch'
  | 'provider_refused'
  | 'code_refused'
  | 'token_refused'
  | 'no_identity'
  | 'subject_not_usable'
  | 'email_missing'
  | 'email_not_verified'
  | 'email_not_usable'
  | 'no_account'
  | 'not_connected'
  | 'not_a_member'
  | 'account_disabled'
  | 'session_over'
  | 'other_person';

/** Carries the cause of a refusal to the log. */
class RefusalCause extends Error {
  readonly reason: OidcRefusal;

  constructor(reason: OidcRefusal, detail: string) {
    super(detail);
    this.name = 'RefusalCause';
    this.reason = reason;
  }
}

/**
 * The error of a refused sign-in: the same for every cause, which only the log states. `detail`: the message of the library or the
 * provider.
 */
export function refusedSignIn(reason: OidcRefusal, detail = ''): PlacardError {
  const cause = new RefusalCause(reason, detail.slice(0, 300));
  return new PlacardError('invalid_credentials', 'The sign-in provider did not vouch for you.', { cause });
}

/** The log entry of a refusal; the code of the error when it has another cause (a limit, a provider that does not respond). */
export function describeRefusal(error: PlacardError): { readonly reason: string; readonly detail: string } {
  const { cause } = error;
  if (cause instanceof RefusalCause) return { reason: cause.reason, detail: cause.message };
  return { reason: error.code, detail: error.message };
}

/** Which step of the flow with the provider failed. */
export function refusalOf(error: unknown): OidcRefusal {
  if (error instanceof AuthorizationResponseError) return 'provider_refused';
  if (error instanceof ResponseBodyError) return 'code_refused';
  return 'token_refused';
}
