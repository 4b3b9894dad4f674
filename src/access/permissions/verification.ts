import { PlacardError } from '../../domain/errors.ts';
import type { Principal, Verification } from '../../domain/tenancy/principal.ts';
import { SENSITIVE_ACTIONS, type SensitiveAction } from './sensitive-actions.ts';
import type { Session } from './sessions.sql.ts';

/** How long a proof of identity is valid, in milliseconds. */
export const VERIFICATION_MS = 600_000;

/** The latest proofs of a session's member. */
export function verificationOf(session: Session, nowMs: number): Verification {
  const isFresh = (instant: Date | null): boolean => instant !== null && nowMs - instant.getTime() < VERIFICATION_MS;
  if (isFresh(session.verifiedAt)) return 'again';
  // Another service signed this member in, perhaps without asking for a proof.
  if (session.method === 'oidc') return 'none';
  return isFresh(session.createdAt) ? 'signIn' : 'none';
}

/** As `requireVerification`, for a part of a mutation that its content makes sensitive. Keys are never asked. */
export function requireProof(principal: Principal, action: SensitiveAction): void {
  if (principal.kind === 'session') requireVerification(principal.verification ?? 'none', action);
}

/** @throws PlacardError `verification_required` when the action needs more proof */
export function requireVerification(verification: Verification, action: string): void {
  const asked = Object.hasOwn(SENSITIVE_ACTIONS, action)
    ? SENSITIVE_ACTIONS[action as SensitiveAction].proof
    : undefined;
  if (asked === undefined || verification === 'again' || verification === asked) return;
  throw new PlacardError(
    'verification_required',
    'Confirm that it is you: enter the password or use a passkey again.',
    {
      details: { action },
    },
  );
}
