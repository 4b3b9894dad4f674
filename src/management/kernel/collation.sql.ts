import { type Kysely, sql } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import type { ManagementContext } from './context.ts';
import { onceInRequest } from './loaders.ts';
import type { SortKey } from './sort-keys.ts';
import { queryableOf } from './transactions.sql.ts';

const COLLATION = /^[a-z]{2,3}-x-icu$/;

/** An order by name or another text in the language of the network; other orders stay. */
export async function inLanguage(context: ManagementContext, sort: SortKey): Promise<SortKey> {
  if (sort.isText !== true) return sort;
  const collation = await collationOf(context);
  return collation === null ? sort : { ...sort, collation };
}

/** The collation of the network's language; null where PostgreSQL was built without ICU: texts are then sorted by code point. */
export function collationOf(context: ManagementContext): Promise<string | null> {
  return onceInRequest(context, 'collation', () =>
    context.budget.read(() => findCollation(queryableOf(context), context.principal.networkId)),
  );
}

/** The first language of the "Why this ad?" page is that of the network; without one, the order that Unicode has for all languages. */
async function findCollation(db: Kysely<Database>, networkId: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.collname::text AS name FROM networks n JOIN pg_catalog.pg_collation c
      ON c.collname = coalesce(n.settings->'languages'->>0, 'und') || '-x-icu' AND c.collprovider = 'i'
    WHERE n.id = ${BigInt(networkId)} LIMIT 1`.execute(db);
  const name = rows[0]?.name;
  return name !== undefined && COLLATION.test(name) ? name : null;
}
