import type { Kysely } from 'kysely';
import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { fieldError, PlacardError } from '../../domain/errors.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { type AuditActor, recordAudit } from '../audit/audit.sql.ts';
import { openBytes, sealBytes } from '../../storage/sealed-bytes.ts';
import { digestSecret } from '../secrets/secret-text.ts';
import { endOtherSessions } from '../permissions/sessions.sql.ts';
import { inTransaction } from '../audit/transaction.sql.ts';
import { findUser } from '../users/users.sql.ts';

/** Bytes of an authenticator app's secret. */
const SECRET_BYTES = 20;
const STEP_MS = 30_000;
/** Steps by which an app's clock may differ, either way. */
const DRIFT_STEPS = 1;
const RECOVERY_CODES = 10;
const RECOVERY_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** The store of second factors, and the secret that seals them. */
export interface SecondFactorDeps {
  readonly sql: Kysely<Database>;
  readonly pepper: Buffer;
}

/** Whether a user signs in with a second factor. */
export async function hasSecondFactor({ sql }: SecondFactorDeps, userId: string): Promise<boolean> {
  const row = await sql
    .selectFrom('second_factors')
    .select('confirmed_at')
    .where('user_id', '=', BigInt(userId))
    .executeTakeFirst();
  return row !== undefined && row.confirmed_at !== null;
}

/** Begins to set up a second factor; it takes effect with `confirmSecondFactor`. @throws PlacardError `conflict` when one is active. */
export async function startSecondFactor(
  deps: SecondFactorDeps,
  user: { id: string; email: string },
  now: Date,
): Promise<{ secret: string; uri: string }> {
  if (await hasSecondFactor(deps, user.id)) throw inForce();
  const secret = new Secret({ size: SECRET_BYTES });
  const sealed_secret = sealBytes(deps.pepper, { purpose: 'second-factor-seal', owner: user.id }, secret.bytes);
  await deps.sql
    .insertInto('second_factors')
    .values({ user_id: user.id, sealed_secret, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ sealed_secret, created_at: now })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .execute();
  const uri = new TOTP({ issuer: 'Placard', label: `Placard:${user.email}`, issuerInLabel: false, secret }).toString();
  return { secret: secret.base32, uri };
}

/**
 * Activates it with a first code; returns ten recovery codes, shown once.
 *
 * @throws PlacardError `validation_failed` for a wrong code; `conflict` when one is active, so that its codes cannot be guessed here
 */
export async function confirmSecondFactor(
  deps: SecondFactorDeps,
  input: { userId: string; code: string; by: AuditActor },
  now: Date,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await inTransaction(deps.sql, async (trx) => {
    const inner = { ...deps, sql: trx };
    if (await hasSecondFactor(inner, input.userId)) throw inForce();
    const step = await matchStored(inner, input.userId, input.code, now);
    if (step === null) throw fieldError('code', 'wrong_code', 'the code does not fit; check the clock of your device');
    const user_id = BigInt(input.userId);
    await trx
      .updateTable('second_factors')
      .set({ confirmed_at: now, last_step: BigInt(step) })
      .where('user_id', '=', user_id)
      .execute();
    await trx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute();
    const rows = codes.map((code) => ({ user_id, digest: digestRecovery(deps.pepper, input.userId, code) }));
    await trx.insertInto('recovery_codes').values(rows).execute();
    await recordAudit(
      trx,
      { by: input.by, action: 'user.secondFactorOn', objectKind: 'user', objectId: input.userId },
      now,
    );
  });
  return codes;
}

/** Removes a second factor with its recovery codes. */
export async function removeSecondFactor(
  deps: SecondFactorDeps,
  input: { userId: string; by: AuditActor },
  now: Date,
): Promise<void> {
  await inTransaction(deps.sql, async (trx) => {
    const user_id = BigInt(input.userId);
    await trx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute();
    await trx.deleteFrom('second_factors').where('user_id', '=', user_id).execute();
    await recordAudit(
      trx,
      { by: input.by, action: 'user.secondFactorOff', objectKind: 'user', objectId: input.userId },
      now,
    );
  });
}

/**
 * Removes a second factor for a member who lost it, and ends every session, so that a finder of the lost one has none.
 *
 * @throws PlacardError `not_found` for no such user, or one without a second factor
 */
export async function resetSecondFactor(
  deps: SecondFactorDeps,
  input: { userId: string; by: AuditActor },
  now: Date,
): Promise<void> {
  await inTransaction(deps.sql, async (trx) => {
    if ((await findUser(trx, input.userId)) === null) throw new PlacardError('not_found', 'There is no such user.');
    const inner = { ...deps, sql: trx };
    if (!(await hasSecondFactor(inner, input.userId))) {
      throw new PlacardError('not_found', 'This user has no second factor.');
    }
    await endOtherSessions(trx, input.userId, null);
    await removeSecondFactor(inner, input, now);
  });
}

/** Whether a code is the present one of the app, or a recovery code; either works once. */
export async function verifySecondFactor(
  deps: SecondFactorDeps,
  userId: string,
  code: string,
  now: Date,
): Promise<boolean> {
  const text = code.trim().toLowerCase();
  return inTransaction(deps.sql, async (trx) => {
    const user_id = BigInt(userId);
    if (/^\d{6}$/.test(text)) {
      const step = await matchStored({ ...deps, sql: trx }, userId, text, now);
      if (step === null) return false;
      const last_step = BigInt(step);
      await trx.updateTable('second_factors').set({ last_step }).where('user_id', '=', user_id).execute();
      return true;
    }
    const used = await trx
      .updateTable('recovery_codes')
      .set({ used_at: now })
      .where('user_id', '=', user_id)
      .where('digest', '=', digestRecovery(deps.pepper, userId, text))
      .where('used_at', 'is', null)
      .executeTakeFirst();
    return used.numUpdatedRows === 1n;
  });
}

function inForce(): PlacardError {
  return new PlacardError('conflict', 'A second factor is set up already.');
}

/** The step of a code that was not used before, else null. Locks the row, so that two requests cannot use one code. */
async function matchStored(deps: SecondFactorDeps, userId: string, code: string, now: Date): Promise<number | null> {
  const row = await deps.sql
    .selectFrom('second_factors')
    .select(['sealed_secret', 'last_step'])
    .where('user_id', '=', BigInt(userId))
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  const bytes = openBytes(deps.pepper, { purpose: 'second-factor-seal', owner: userId }, row.sealed_secret);
  const timestamp = now.getTime();
  const secret = new Secret({ buffer: new Uint8Array(bytes).buffer });
  const delta = new TOTP({ secret }).validate({ token: code, timestamp, window: DRIFT_STEPS });
  const step = Math.floor(timestamp / STEP_MS) + (delta ?? Number.NaN);
  return step > Number(row.last_step) ? step : null;
}

function newRecoveryCode(): string {
  const part = (): string =>
    Array.from({ length: 5 }, () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)]).join('');
  return `${part()}-${part()}`;
}

function digestRecovery(pepper: Buffer, userId: string, code: string): Buffer {
  return digestSecret(pepper, 'recovery-code', `${userId}\0${code}`);
}
