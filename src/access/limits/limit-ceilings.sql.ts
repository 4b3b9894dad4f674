import type { Kysely } from 'kysely';
import { fieldError, PlacardError } from '../../domain/errors.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { type AuditActor, recordAudit } from '../audit/audit.sql.ts';
import { DEFAULT_LIMITS, effectiveLimits, LIMIT_MAX, readCeilings, readLimits } from '../keys/directory-data.ts';
import type { LimitName } from '../permissions/permissions.ts';
import { inTransaction } from '../audit/transaction.sql.ts';

/** The limits of one network, as its operator sees them. */
export interface NetworkLimits {
  readonly networkId: string;
  readonly workspaceIds: Readonly<Record<Environment, number>>;
  /** The limit that its admin set; absent: the ceiling applies. */
  readonly own: Readonly<Partial<Record<LimitName, number>>>;
  readonly ceilings: Readonly<Record<LimitName, number>>;
  /** The limit that applies. */
  readonly effective: Readonly<Record<LimitName, number>>;
}

/** A change of a ceiling: the values before and after. */
export interface CeilingChange {
  readonly before: number;
  readonly after: number;
}

/** @throws PlacardError `unknown_network` */
export async function readNetworkLimits(db: Kysely<Database>, networkId: string): Promise<NetworkLimits> {
  const row = isDecimalId(networkId)
    ? await db
        .selectFrom('networks')
        .select(['settings', 'limit_ceilings'])
        .where('id', '=', BigInt(networkId))
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw new PlacardError('unknown_network', `There is no network ${networkId.slice(0, 40)}.`);
  const workspaces = await db
    .selectFrom('workspaces')
    .select(['id', 'environment'])
    .where('network_id', '=', BigInt(networkId))
    .execute();
  const idOf = (environment: Environment): number => workspaces.find((one) => one.environment === environment)?.id ?? 0;
  return {
    networkId,
    workspaceIds: { production: idOf('production'), staging: idOf('staging') },
    own: readLimits(row.settings),
    ceilings: readCeilings(row.limit_ceilings),
    effective: effectiveLimits(row.settings, row.limit_ceilings),
  };
}

/**
 * Sets the ceiling of one limit of a network; `null`: the service's own limit. It lowers a higher limit of the network, which stays stored.
 * Recorded in the network's log.
 *
 * @throws PlacardError `unknown_network`; `validation_failed` for a ceiling outside 1…10¹²
 */
export async function setCeiling(
  db: Kysely<Database>,
  change: {
    readonly networkId: string;
    readonly limit: LimitName;
    readonly units: number | null;
    readonly by: AuditActor;
  },
  now: Date = new Date(),
): Promise<CeilingChange> {
  const { networkId, limit, units, by } = change;
  if (units !== null && !(Number.isSafeInteger(units) && units >= 1 && units <= LIMIT_MAX))
    throw fieldError('units', 'out_of_range', `give a whole number of 1 to ${LIMIT_MAX}, or "default"`);
  if (!isDecimalId(networkId))
    throw new PlacardError('unknown_network', `There is no network ${networkId.slice(0, 40)}.`);
  return inTransaction(db, async (trx) => {
    const row = await trx
      .selectFrom('networks')
      .select('limit_ceilings')
      .where('id', '=', BigInt(networkId))
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) throw new PlacardError('unknown_network', `There is no network ${networkId}.`);
    const { [limit]: _before, ...others } = row.limit_ceilings;
    const stated = units === null ? others : { ...others, [limit]: units };
    const before = readCeilings(row.limit_ceilings)[limit];
    const after = units ?? DEFAULT_LIMITS[limit];
    if (before === after) return { before, after };
    await trx
      .updateTable('networks')
      .set((eb) => ({ limit_ceilings: JSON.stringify(stated), version: eb('version', '+', 1), updated_at: now }))
      .where('id', '=', BigInt(networkId))
      .execute();
    await recordAudit(
      trx,
      {
        action: 'limits.set',
        objectKind: 'network',
        objectId: networkId,
        before: { ceilings: { [limit]: before } },
        after: { ceilings: { [limit]: after } },
        by: { ...by, networkId, workspaceId: null },
      },
      now,
    );
    return { before, after };
  });
}

/** Records in the network's log that today's count of a limit was reset. */
export async function recordReset(
  db: Kysely<Database>,
  reset: { readonly limit: LimitName; readonly used: number; readonly by: AuditActor },
): Promise<void> {
  const { limit, used, by } = reset;
  await inTransaction(db, (trx) =>
    recordAudit(trx, {
      action: 'limits.reset',
      objectKind: 'network',
      objectId: by.networkId,
      before: { [limit]: used },
      after: { [limit]: 0 },
      by,
    }),
  );
}
