import type { Kysely } from 'kysely';
import { PlacardError } from '../../domain/errors.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import type { Database } from '../../storage/sql/schema.ts';

/** The workspace of a network's environment. @throws PlacardError `unknown_network` */
export async function requireWorkspaceId(
  sql: Kysely<Database>,
  networkId: string,
  environment: Environment,
): Promise<number> {
  const row = isDecimalId(networkId)
    ? await sql
        .selectFrom('workspaces')
        .select('id')
        .where('network_id', '=', BigInt(networkId))
        .where('environment', '=', environment)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw new PlacardError('unknown_network', `There is no network ${networkId}.`);
  return row.id;
}
