import type { Kysely } from 'kysely';
import { z } from 'zod';
import { isAssetName } from '../assets.ts';
import { nodeCall } from '../sql/node-call.ts';
import type { Database } from '../sql/schema.ts';
import * as own from './asset-files.sql.ts';

type Sql = Kysely<Database>;

const NAMES_MAX = 1_000;
const NAME = z.string().refine(isAssetName, 'write the name of a file');

/** As `readAssetFile` of asset-files.sql.ts, also through a core, which looks in its bucket and data folder, too. */
export const readAssetFile = nodeCall('assets.read', z.tuple([NAME]), (sql: Sql, name: string) =>
  own.readAssetFile(sql, name),
);

/** As `listAssetFiles` of asset-files.sql.ts, also through a core. */
export const listAssetFiles = nodeCall(
  'assets.list',
  z.tuple([z.array(NAME).max(NAMES_MAX)]),
  (sql: Sql, names: readonly string[]) => own.listAssetFiles(sql, names),
);
