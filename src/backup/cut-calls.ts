import type { Kysely } from 'kysely';
import { z } from 'zod';
import { nodeCall } from '../storage/sql/node-call.ts';
import type { Database } from '../storage/sql/schema.ts';
import * as own from './cluster-cut.sql.ts';

type Sql = Kysely<Database>;

const NODE_ID = z.string().regex(/^[0-9a-z]{8,20}$/);

/** As `readNodeCut` of cluster-cut.sql.ts, also through a core. */
export const readNodeCut = nodeCall('backup.readCut', z.tuple([NODE_ID]), (sql: Sql, nodeId: string) =>
  own.readNodeCut(sql, nodeId),
);

/** As `reportNodeCut` of cluster-cut.sql.ts, also through a core. */
export const reportNodeCut = nodeCall(
  'backup.reportCut',
  z.tuple([
    z.strictObject({
      nodeId: NODE_ID,
      cutId: z.string().max(100),
      step: z.enum(['draining', 'drained', 'held', 'released', 'failed']),
      detail: z.string().max(500),
    }),
  ]),
  (sql: Sql, report: own.CutReport) => own.reportNodeCut(sql, report),
);

/** What a node does in PostgreSQL for the cut of a backup. */
export const CUT_CALLS = [readNodeCut, reportNodeCut] as const;
