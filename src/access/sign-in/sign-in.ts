import type { Kysely } from 'kysely';
import { PlacardError } from '../../domain/errors.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import { AttemptLimit, type AttemptRule, type BegunAttempt, runCounted, sourceOf } from '../limits/attempt-limit.ts';
import type { AttemptLog } from './attempt-log.ts';
import { recordAudit } from '../audit/audit.sql.ts';
import type { RefusalReason } from '../keys/identify.ts';
import type { AskedPasskey, GivenPasskey, Passkeys } from './passkeys.ts';
import { verifyPassword } from '../secrets/password.ts';
import { hasSecondFactor, verifySecondFactor } from './second-factor.sql.ts';
import { digestSecret, isSameDigest, randomBase62 } from '../secrets/secret-text.ts';
import { createSession, type NewSession } from '../permissions/sessions.sql.ts';
import { noticeSignIn } from './sign-in-notice.sql.ts';
import { inTransaction } from '../audit/transaction.sql.ts';
import { findAccount, findUser } from '../users/users.sql.ts';

const WINDOW_MS = 900_000;
/** Wrong passwords from one source, over all accounts. */
const SOURCE_RULE: AttemptRule = {
  purpose: 'sign-in',
  max: 50,
  windowMs: WINDOW_MS,
  message: 'Too many failed sign-ins from this address',
};
/** Wrong passwords for one account, from browsers in which its owner never signed in. The owner's own browsers count apart. */
const ACCOUNT_RULE: AttemptRule = {
  purpose: 'account',
  max: 20,
  windowMs: WINDOW_MS,
  message: 'Too many failed sign-ins to this account',
};
/** Wrong codes for one account, over all browsers and sources: a caller who sends one already has the password. */
const CODE_RULES: readonly AttemptRule[] = [
  { purpose: 'code', max: 10, windowMs: WINDOW_MS, message: 'Too many wrong codes for this account' },
  { purpose: 'code-day', max: 50, windowMs: 86_400_000, message: 'Too many wrong codes for this account today' },
];
type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>;
const DEVICE_SHAPE = /^(\d{1,18})\.([0-9A-Za-z]{22})\.([0-9a-f]{64})$/;

/** Dependencies of sign-in. */
export interface SignInDeps {
  readonly sql: Kysely<Database>;
  readonly hot: HotStore;
  readonly pepper: Buffer;
  readonly attempts: AttemptLog;
  /** Null: no mail is sent. */
  readonly mail: MailQueue | null;
  nowMs(): number;
}

/** One try to sign in. */
export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** Of the authenticator app, or a recovery code. */
  readonly code: string | null;
  /** A passkey in place of the code. */
  readonly passkey: GivenPasskey | null;
  /** Value of the device cookie, if the browser has one. */
  readonly device: string | null;
  readonly userAgent: string;
  readonly remoteAddress: string;
}

/** A session to start. */
export interface StartedSession extends NewSession {
  readonly email: string;
  /** Value of the device cookie, if the browser has one. */
  readonly device: string | null;
  /** Whether the account is new. */
  readonly isNewAccount?: boolean;
}

/** A sign-in that worked: the values of the two cookies. */
export interface SignedIn {
  readonly userId: string;
  readonly session: string;
  /** Null when another service vouches for the member: it could collect browsers that are counted separately. */
  readonly device: string | null;
}

/** Sign-in by e-mail, password and second factor, with limits that cannot be abused to lock a member out for long. */
export class SignIn {
  readonly #deps: SignInDeps;
  readonly #passkeys: Passkeys;
  readonly #sources: AttemptLimit;
  readonly #accounts: AttemptLimit;
  readonly #codes: readonly AttemptLimit[];

  constructor(deps: SignInDeps, passkeys: Passkeys) {
    this.#deps = deps;
    this.#passkeys = passkeys;
    this.#sources = new AttemptLimit(deps, SOURCE_RULE);
    this.#accounts = new AttemptLimit(deps, ACCOUNT_RULE);
    this.#codes = CODE_RULES.map((rule) => new AttemptLimit(deps, rule));
  }

  /**
   * @throws PlacardError `invalid_credentials` for any fault (unknown address, password, code, disabled account); `authentication_required`
   * with `secondFactor: true` when only the code is missing; `rate_limit_exceeded`
   */
  async signIn(attempt: SignInAttempt): Promise<SignedIn> {
    const email = attempt.email.trim().toLowerCase();
    const account = await findAccount(this.#deps.sql, email);
    const device = readDevice(this.#deps.pepper, attempt.device, account?.id ?? null);
    const subjects = { source: sourceOf(attempt.remoteAddress), account: device ?? nameOf(this.#deps.pepper, email) };
    return runCounted([await this.#sources.begin(subjects.source), await this.#accounts.begin(subjects.account)], () =>
      this.#checkAttempt({ ...attempt, email }, account),
    );
  }

  async #checkAttempt(attempt: SignInAttempt, account: Account | null): Promise<SignedIn> {
    const { email, userAgent, remoteAddress } = attempt;
    const fail = (reason: RefusalReason): Promise<never> =>
      this.#fail(attempt, { reason, known: account !== null, email });
    const passwordFits = await verifyPassword(attempt.password, account?.passwordHash ?? null);
    if (account === null) return fail('unknown');
    if (!passwordFits) return fail('wrong_password');
    if (account.disabledAt !== null) return fail('disabled');
    if (await hasSecondFactor(this.#deps, account.id)) {
      await this.#checkFactor(account.id, attempt, () => fail('wrong_code'));
    }
    return this.startSession({
      userId: account.id,
      email,
      userAgent,
      remoteAddress,
      device: attempt.device,
      method: 'password',
      networkId: null,
    });
  }

  async #checkFactor(userId: string, { code, passkey }: SignInAttempt, fail: () => Promise<never>): Promise<void> {
    if (passkey !== null) {
      if (!(await this.#passkeys.checkFactor(userId, passkey))) await fail();
    } else if (code !== null && code !== '') await this.#checkCode(userId, code, fail);
    else throw secondFactorNeeded(await this.#passkeys.askForFactor(userId));
  }

  async #checkCode(userId: string, code: string, fail: () => Promise<never>): Promise<void> {
    const begun: BegunAttempt[] = [];
    for (const limit of this.#codes) begun.push(await limit.begin(userId));
    await runCounted(begun, async () => {
      if (!(await verifySecondFactor(this.#deps, userId, code, this.#now()))) await fail();
    });
  }

  /**
   * Signs in the user that a check returns: by a passkey or an identity of a provider. Null: no user.
   *
   * @throws PlacardError `invalid_credentials` for nobody, and for a disabled account; `rate_limit_exceeded`
   */
  async signInBy(
    input: Omit<StartedSession, 'userId' | 'email'>,
    identify: () => Promise<{ readonly userId: string } | null>,
  ): Promise<SignedIn> {
    const failure = { known: false, email: '' } as const;
    return runCounted([await this.#sources.begin(sourceOf(input.remoteAddress))], async () => {
      const found = await identify();
      const user = found === null ? null : await findUser(this.#deps.sql, found.userId);
      if (user === null) return this.#fail(input, { ...failure, reason: 'unknown' });
      const { id: userId, email } = user;
      if (user.disabledAt !== null) return this.#fail(input, { reason: 'disabled', known: true, email });
      return this.startSession({ ...input, userId, email });
    });
  }

  /**
   * Starts a session for a user whose identity is proved; recorded in the audit log. Every way to sign in ends here. The user gets a mail
   * about a new browser or address, unless the account is new.
   */
  async startSession(input: StartedSession): Promise<SignedIn> {
    const { sql, pepper, mail } = this.#deps;
    const now = this.#now();
    const isKnownBrowser = readDevice(pepper, input.device, input.userId) !== null;
    const session = await inTransaction(sql, async (trx) => {
      const value = await createSession(trx, pepper, input, now);
      if (mail !== null) {
        const isNewAccount = input.isNewAccount === true;
        await noticeSignIn(trx, { pepper, mail }, { ...input, isKnownBrowser, isNewAccount }, now);
      }
      const by = {
        actor: `user:${input.userId} ${input.email}`,
        remoteAddress: input.remoteAddress,
        networkId: '0',
        workspaceId: null,
      };
      const entry = { by, action: 'auth.success', objectKind: 'user', objectId: input.userId };
      await recordAudit(trx, { ...entry, more: { method: input.method, networkId: input.networkId } }, now);
      return value;
    });
    const device = input.method === 'oidc' ? null : newDevice(pepper, input.userId);
    return { userId: input.userId, session, device };
  }

  async #fail(
    attempt: { readonly remoteAddress: string },
    failure: { readonly reason: RefusalReason; readonly known: boolean; readonly email: string },
  ): Promise<never> {
    const error = new PlacardError('invalid_credentials', 'Wrong e-mail address, password or code');
    // An unknown address may be a mistyped password: it is not stored.
    const credential = failure.known ? `email:${failure.email}` : 'email:(unknown)';
    const refusal = { error, reason: failure.reason, networkId: '0', workspaceId: null, credential };
    this.#deps.attempts.recordRefusal(refusal, attempt.remoteAddress);
    throw error;
  }

  #now(): Date {
    return new Date(this.#deps.nowMs());
  }
}

/** `passkey`: what to ask the browser for, where the account has passkeys; one of them replaces the code. */
function secondFactorNeeded(passkey: AskedPasskey | null): PlacardError {
  return new PlacardError('authentication_required', 'Enter the code of your authenticator app', {
    details: { secondFactor: true, passkey },
  });
}

/** A name for counters. Guessing an address in the hot store needs the installation's pepper. */
function nameOf(pepper: Buffer, email: string): string {
  return digestSecret(pepper, 'sign-in-address', email).toString('hex').slice(0, 32);
}

function newDevice(pepper: Buffer, userId: string): string {
  const body = `${userId}.${randomBase62(22)}`;
  return `${body}.${digestSecret(pepper, 'device', body).toString('hex')}`;
}

/** The counter's name of a browser that has signed in to this account before; null for any other. */
function readDevice(pepper: Buffer, cookie: string | null, userId: string | null): string | null {
  const match = cookie === null ? null : DEVICE_SHAPE.exec(cookie);
  if (match === null || userId === null || match[1] !== userId) return null;
  const body = `${match[1]}.${match[2] ?? ''}`;
  const expected = digestSecret(pepper, 'device', body);
  return isSameDigest(expected, Buffer.from(match[3] ?? '', 'hex')) ? `device-${match[2] ?? ''}` : null;
}
