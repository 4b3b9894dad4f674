import { type Kysely, sql } from 'kysely';
import { fieldError, PlacardError } from '../../domain/errors.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import { EXCHANGE_RATES_MAX, faultOfRate, readExchangeRates, sortRates } from '../../domain/tenancy/exchange-rates.ts';
import type { ExchangeRate } from '../../domain/tenancy/exchange-rates.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { type AuditActor, recordAudit } from '../audit/audit.sql.ts';
import { inTransaction } from '../audit/transaction.sql.ts';

/** The exchange rates of a network, and the currency that they are in. */
export interface NetworkRates {
  /** ISO 4217 code of the network. */
  readonly currency: string;
  /** IANA time zone in which days of rates begin. */
  readonly timezone: string;
  /** By currency and day. */
  readonly rates: readonly ExchangeRate[];
}

/** @throws PlacardError `unknown_network` */
export async function listNetworkRates(db: Kysely<Database>, networkId: string): Promise<NetworkRates> {
  const row = await networkQuery(db, networkId).executeTakeFirst();
  if (row === undefined) throw unknownNetwork(networkId);
  const { currency, timezone } = row;
  return { currency, timezone, rates: readExchangeRates(row.settings).exchangeRates ?? [] };
}

/**
 * Adds an exchange rate, or replaces that of the same currency and day. Recorded in the network's own log.
 *
 * @throws PlacardError `unknown_network`; `validation_failed` naming the member, and for more than `EXCHANGE_RATES_MAX` entries
 */
export function setNetworkRate(
  db: Kysely<Database>,
  { networkId, rate, by }: { readonly networkId: string; readonly rate: ExchangeRate; readonly by: AuditActor },
  now: Date = new Date(),
): Promise<NetworkRates> {
  return changeRates(db, { networkId, by, now }, (rates, currency) => {
    const fault = faultOfRate(rate, currency);
    if (fault !== null) throw fieldError(fault.member, fault.code, fault.message);
    const others = rates.filter((other) => other.currency !== rate.currency || other.from !== rate.from);
    if (others.length >= EXCHANGE_RATES_MAX)
      throw fieldError('currency', 'too_many', `a network has at most ${EXCHANGE_RATES_MAX} rates: remove old ones`);
    return [...others, rate];
  });
}

/**
 * Removes the rates of a currency, or only that of a day. Recorded in the network's own log.
 *
 * @throws PlacardError `unknown_network`; `validation_failed` when there is no such rate
 */
export function removeNetworkRates(
  db: Kysely<Database>,
  wish: {
    readonly networkId: string;
    readonly currency: string;
    /** `YYYY-MM-DD`; null = all days. */
    readonly from: string | null;
    readonly by: AuditActor;
  },
  now: Date = new Date(),
): Promise<NetworkRates> {
  const { networkId, currency, from, by } = wish;
  return changeRates(db, { networkId, by, now }, (rates) => {
    const kept = rates.filter((rate) => rate.currency !== currency || (from !== null && rate.from !== from));
    if (kept.length === rates.length)
      throw fieldError('currency', 'unknown', `there is no rate of ${currency}${from === null ? '' : ` from ${from}`}`);
    return kept;
  });
}

interface RateChange {
  readonly networkId: string;
  readonly by: AuditActor;
  readonly now: Date;
}

function changeRates(
  db: Kysely<Database>,
  { networkId, by, now }: RateChange,
  change: (rates: readonly ExchangeRate[], currency: string) => readonly ExchangeRate[],
): Promise<NetworkRates> {
  return inTransaction(db, async (trx) => {
    const row = await networkQuery(trx, networkId).forUpdate().executeTakeFirst();
    if (row === undefined) throw unknownNetwork(networkId);
    const { currency, timezone } = row;
    const before = sortRates(readExchangeRates(row.settings).exchangeRates ?? []);
    const rates = sortRates(change(before, currency));
    if (JSON.stringify(before) === JSON.stringify(rates)) return { currency, timezone, rates };
    const settings = JSON.stringify({ ...row.settings, exchangeRates: rates.length === 0 ? undefined : rates });
    await trx
      .updateTable('networks')
      .set((eb) => ({ settings: sql`${settings}::jsonb`, version: eb('version', '+', 1), updated_at: now }))
      .where('id', '=', BigInt(networkId))
      .execute();
    const entry = {
      action: 'network.update',
      objectKind: 'network',
      objectId: networkId,
      before: { exchangeRates: before },
      after: { exchangeRates: rates },
    };
    await recordAudit(trx, { ...entry, by: { ...by, networkId, workspaceId: null } }, now);
    return { currency, timezone, rates };
  });
}

function networkQuery(db: Kysely<Database>, networkId: string) {
  if (!isDecimalId(networkId)) throw unknownNetwork(networkId);
  return db.selectFrom('networks').select(['currency', 'timezone', 'settings']).where('id', '=', BigInt(networkId));
}

function unknownNetwork(networkId: string): PlacardError {
  return new PlacardError('unknown_network', `There is no network ${networkId.slice(0, 40)}.`);
}
