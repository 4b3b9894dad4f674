import type { Kysely } from 'kysely';
import { z } from 'zod';
import { nodeCall } from '../../storage/sql/node-call.ts';
import type { Database } from '../../storage/sql/schema.ts';
import * as own from './directory.sql.ts';
import type { LastUsed } from './directory.sql.ts';
import type { Wanted } from './directory-lookup.ts';

type Sql = Kysely<Database>;

const NAMES_MAX = 1_000;
const USED_MAX = 100_000;
const ID = z.string().regex(/^\d{1,19}$/);
/** The last instant of a `Date`. */
const LAST_MS = 8_640_000_000_000_000;
const USED = z
  .map(ID, z.strictObject({ workspaceId: z.number().int(), atMs: z.number().int().nonnegative().max(LAST_MS) }))
  .refine(({ size }) => size <= USED_MAX, `at most ${USED_MAX}`);

/** As `readDirectory` of directory.sql.ts, also through a core. */
export const readDirectory = nodeCall('keys.all', z.tuple([]), (sql: Sql) => own.readDirectory(sql));

/** As `readDirectoryPart` of directory.sql.ts, also through a core. */
export const readDirectoryPart = nodeCall(
  'keys.some',
  z.tuple([
    z.strictObject({
      digests: z.array(z.string().regex(/^[0-9a-f]{1,128}$/)).max(NAMES_MAX),
      logins: z.array(z.string().max(200)).max(NAMES_MAX),
      networkIds: z.array(ID).max(NAMES_MAX),
    }),
  ]),
  (sql: Sql, wanted: Wanted) => own.readDirectoryPart(sql, wanted),
);

/** As `writeLastUsed` of directory.sql.ts, also through a core. */
export const writeLastUsed = nodeCall(
  'keys.used',
  z.tuple([USED, USED]),
  (sql: Sql, keys: LastUsed, pairs: LastUsed): Promise<void> => own.writeLastUsed(sql, keys, pairs),
);
