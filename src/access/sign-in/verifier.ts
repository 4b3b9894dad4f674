import { PlacardError } from '../../domain/errors.ts';
import { AttemptLimit, type AttemptRule, runCounted } from '../limits/attempt-limit.ts';
import { verifyPassword } from '../secrets/password.ts';
import { endSession, markVerified, type Session } from '../permissions/sessions.sql.ts';
import type { SignInDeps } from './sign-in.ts';
import { findAccount } from '../users/users.sql.ts';

/** Wrong proofs of one member, over all of their sessions. */
const PERSON_RULE: AttemptRule = {
  purpose: 'verify-person',
  max: 20,
  windowMs: 900_000,
  message: 'Too many wrong passwords for this account',
};
/** Wrong proofs in one session; the next one ends it: a caller who does not know the password has probably stolen it. */
const SESSION_RULE: AttemptRule = {
  purpose: 'verify-session',
  max: 10,
  windowMs: 86_400_000,
  message: 'Too many wrong passwords in this session',
};

/** Lets the member of a session verify their identity again. The proof is valid for `VERIFICATION_MS`. */
export class Verifier {
  readonly #deps: SignInDeps;
  readonly #persons: AttemptLimit;
  readonly #sessions: AttemptLimit;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
    this.#persons = new AttemptLimit(deps, PERSON_RULE);
    this.#sessions = new AttemptLimit(deps, SESSION_RULE);
  }

  /** @throws as `verify` */
  verifyByPassword(session: Session, password: string, remoteAddress: string): Promise<void> {
    return this.verify(session, remoteAddress, async () => {
      const account = await findAccount(this.#deps.sql, session.email);
      return verifyPassword(password, account?.passwordHash ?? null);
    });
  }

  /**
   * Runs a check and records that the session's member is verified when it succeeds.
   *
   * @throws PlacardError `invalid_credentials` for a wrong proof; `rate_limit_exceeded`; `authentication_required` when too many
   * wrong ones have ended the session
   */
  async verify(session: Session, remoteAddress: string, check: () => Promise<boolean>): Promise<void> {
    const { userId, id } = session;
    const ofSession = await this.#sessions.begin(`${userId}/${id}`);
    if (ofSession.error !== null) {
      await endSession(this.#deps.sql, { userId }, id);
      throw new PlacardError('authentication_required', 'Too many wrong attempts ended this session; sign in again.');
    }
    await runCounted([ofSession, await this.#persons.begin(userId)], async () => {
      if (!(await check())) this.#refuse(session, remoteAddress);
    });
    await markVerified(this.#deps.sql, id, new Date(this.#deps.nowMs()));
  }

  #refuse(session: Session, remoteAddress: string): never {
    const error = new PlacardError('invalid_credentials', 'The password or passkey does not belong to this account');
    const credential = `email:${session.email}`;
    const refusal = { error, reason: 'wrong_password', networkId: '0', workspaceId: null, credential } as const;
    this.#deps.attempts.recordRefusal(refusal, remoteAddress);
    throw error;
  }
}
