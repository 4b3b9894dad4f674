import type { Kysely } from 'kysely';
import { z } from 'zod';
import { nodeCall } from '../../storage/sql/node-call.ts';
import type { Database } from '../../storage/sql/schema.ts';
import * as own from './pacing-curve.sql.ts';

/** As `readCurves` of pacing-curve.sql.ts, also through a core. */
export const readCurves = nodeCall('pacing.curves', z.tuple([]), (sql: Kysely<Database>) => own.readCurves(sql));
