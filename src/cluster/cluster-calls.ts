import type { Kysely } from 'kysely';
import { z } from 'zod';
import { nodeCall } from '../storage/sql/node-call.ts';
import type { Database } from '../storage/sql/schema.ts';
import * as own from './cluster.sql.ts';

type Sql = Kysely<Database>;

const NODE_ID = z.string().regex(/^[0-9a-z]{8,20}$/);
const TEXTS = z.record(z.string().max(100), z.string().max(1_000));
/** A node with a node token runs delivery alone. */
const PART = z.literal('delivery');

/** As `readCluster` of cluster.sql.ts, also through a core. */
export const readCluster = nodeCall('cluster.read', z.tuple([NODE_ID]), (sql: Sql, nodeId: string) =>
  own.readCluster(sql, nodeId),
);

/** As `writeNode` of cluster.sql.ts, also through a core. */
export const writeNode = nodeCall(
  'cluster.writeNode',
  z.tuple([
    z.strictObject({
      nodeId: NODE_ID,
      part: PART,
      host: z.string().max(300),
      machine: z.string().max(100).optional(),
      facts: TEXTS,
      marks: z.record(z.string().max(100), TEXTS),
      problems: z.array(z.string().max(2_000)).max(100),
      startedAt: z.date(),
    }),
  ]),
  (sql: Sql, report: own.NodeReport) => own.writeNode(sql, report),
);

/** As `markNodeStopped` of cluster.sql.ts, also through a core. */
export const markNodeStopped = nodeCall(
  'cluster.markNodeStopped',
  z.tuple([NODE_ID, PART]),
  (sql: Sql, nodeId: string, part: string) => own.markNodeStopped(sql, nodeId, part),
);

/** What a node reads and writes of its cluster. */
export const CLUSTER_CALLS = [readCluster, writeNode, markNodeStopped] as const;
