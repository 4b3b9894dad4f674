import { PlacardError } from '../../domain/errors.ts';
import type { Verification } from '../../domain/tenancy/principal.ts';
import type { Session } from './sessions.sql.ts';

/** How long a proof of identity is valid, in milliseconds. */
export const VERIFICATION_MS = 600_000;

/**
 * The table of actions for which a session asks its member again for the password or a passkey, and what counts as proof: a sign-in of the
 * last ten minutes too, or only a proof after signing in (`again`). Keys are never asked: actions on a member's own account are closed to
 * them, and their permission limits what they create.
 */
const ASKS_AGAIN: Readonly<Record<string, Exclude<Verification, 'none'>>> = {
  // One's own account: a stolen session must not lock its owner out.
  'account.changePassword': 'again',
  'account.changeAddress': 'again',
  'account.setUpSecondFactor': 'again',
  'account.removeSecondFactor': 'again',
  'account.addPasskey': 'again',
  'account.removePasskey': 'again',
  'account.connectIdentity': 'again',
  'account.disconnectIdentity': 'again',
  // Secrets that keep working after the session has ended.
  'mutation.createApiKey': 'signIn',
  'mutation.rotateApiKey': 'signIn',
  'mutation.createHeaderCredential': 'signIn',
  'webhookSecret.create': 'signIn',
  // Who can sign in to the network.
  'identityProvider.write': 'again',
};

/** The latest proofs of a session's member. */
export function verificationOf(session: Session, nowMs: number): Verification {
  const isFresh = (instant: Date | null): boolean => instant !== null && nowMs - instant.getTime() < VERIFICATION_MS;
  if (isFresh(session.verifiedAt)) return 'again';
  // Another service signed this member in, perhaps without asking for a proof.
  if (session.method === 'oidc') return 'none';
  return isFresh(session.createdAt) ? 'signIn' : 'none';
}

/** @throws PlacardError `verification_required` when the action needs more proof */
export function requireVerification(verification: Verification, action: string): void {
  const asked = Object.hasOwn(ASKS_AGAIN, action) ? ASKS_AGAIN[action] : undefined;
  if (asked === undefined || verification === 'again' || verification === asked) return;
  throw new PlacardError(
    'verification_required',
    'Confirm that it is you: enter the password or use a passkey again.',
    {
      details: { action },
    },
  );
}
