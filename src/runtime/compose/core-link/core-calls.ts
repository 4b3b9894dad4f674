import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readDirectory, readDirectoryPart, writeLastUsed } from '../../../access/keys/directory-calls.ts';
import { recordAttempts } from '../../../access/sign-in/attempt-calls.ts';
import { CUT_CALLS } from '../../../backup/cut-calls.ts';
import { CLUSTER_CALLS } from '../../../cluster/cluster-calls.ts';
import { DECISION_REASONS_TABLE } from '../../../delivery/insight/diagnosis/decision-reasons.olap.ts';
import { readCurves } from '../../../delivery/pacing/pacing-curve-calls.ts';
import { CONTEXT_CALLS } from '../../../delivery/contexts/context-calls.ts';
import { PLAN_CALLS } from '../../../delivery/plan/plan-calls.ts';
import { SNAPSHOT_CALLS } from '../../../delivery/snapshot/snapshot-calls.ts';
import { OPPORTUNITY_SAMPLES_TABLE } from '../../../delivery/traffic/opportunity-sample.olap.ts';
import type { ReadCountedSums } from '../../../domain/money/counted-sums.ts';
import { MARK_OLAP_CALLS, MARK_SQL_CALLS } from '../../../events/marks/compare-marks.ts';
import { REBUILD_CALLS } from '../../../events/recovery/hot-rebuild-calls.ts';
import { RECOVERY_CALLS } from '../../../events/recovery/hot-recovery-calls.ts';
import { EVENTS_INTAKE_TABLE, EVENTS_TABLE } from '../../../events/shipping/events.olap.ts';
import { SHIPPING_CALLS } from '../../../events/shipping/stored-events-calls.ts';
import { readCountedSums } from '../../../reports/rollups/counted-sums.olap.ts';
import { readExportedWorkspaces } from '../../../storage/export/exported-workspaces.sql.ts';
import { nodeCall } from '../../../storage/sql/node-call.ts';
import type { Olap } from '../../../storage/olap/olap.ts';
import { listAssetFiles, readAssetFile } from '../../../storage/shared-assets/asset-file-calls.ts';

/** The folder of the endpoints for nodes. A change that an older node cannot use gets another number. */
export const NODE_PATH = '/nodes/v1';
/** The header with the id of the node that a token belongs to. */
export const NODE_HEADER = 'x-placard-node';
/** The header with what the analytics store said of a failure. */
export const OLAP_HEADER = 'x-placard-analytics-error';
/** Most bytes of the arguments of a call. */
export const CALL_BYTES_MAX = 16 * 1_024 * 1_024;

/** As `readCountedSums` of the roll-ups, also through a core. */
export const readSums = nodeCall(
  'events.sums',
  z.tuple([z.strictObject({ timezone: z.string().max(100).nullable(), fromMs: z.number().int().nonnegative() })]),
  (olap: Olap, of: Parameters<ReadCountedSums>[0]) => readCountedSums(olap)(of),
);

/** A function that nodes may call, whatever its arguments. */
export interface AnyCall {
  readonly callName: string;
  readonly schema: z.ZodType;
  readonly run: (store: never, ...args: never) => Promise<unknown>;
}

/** What nodes may call of PostgreSQL. */
export const SQL_CALLS: readonly AnyCall[] = [
  ...SNAPSHOT_CALLS,
  ...RECOVERY_CALLS,
  ...MARK_SQL_CALLS,
  ...CLUSTER_CALLS,
  ...CUT_CALLS,
  readCurves,
  ...PLAN_CALLS,
  ...CONTEXT_CALLS,
  readDirectory,
  readDirectoryPart,
  writeLastUsed,
  recordAttempts,
  readAssetFile,
  listAssetFiles,
  readExportedWorkspaces,
];

/** What nodes may call of the analytics store. */
export const OLAP_CALLS: readonly AnyCall[] = [...SHIPPING_CALLS, ...REBUILD_CALLS, ...MARK_OLAP_CALLS, readSums];

/** The tables that nodes insert into. */
export const ROW_TABLES = [
  EVENTS_INTAKE_TABLE,
  EVENTS_TABLE,
  DECISION_REASONS_TABLE,
  OPPORTUNITY_SAMPLES_TABLE,
] as const;

/** A call whose result a node keeps, and gets again only when it differs. */
interface KeptResult {
  /** Tells results of different arguments apart; arguments that are not part of it do not count. */
  readonly keyOf: (args: readonly unknown[]) => string;
  /** What of a result makes it another one. */
  readonly contentOf: (result: unknown) => unknown;
}

const WHOLE: KeptResult = { keyOf: () => '', contentOf: (result) => result };

/** The calls whose results are kept, by name. */
export const KEPT_RESULTS: ReadonlyMap<string, KeptResult> = new Map([
  ['snapshot.workspaces', WHOLE],
  ['pacing.curves', WHOLE],
  // Not by the instant of the question.
  ['snapshot.read', { keyOf: ([, workspaceId]) => String(workspaceId), contentOf: (result) => result }],
  ['snapshot.short', { keyOf: ([, workspaceId]) => String(workspaceId), contentOf: (result) => result }],
  ['snapshot.page', { keyOf: keyOfPage, contentOf: (result) => result }],
  // The result holds the instant of its reading.
  ['keys.all', { keyOf: () => '', contentOf: (result) => ({ ...(result as object), asOfMs: 0 }) }],
]);

/** By number, so that there are never more of them on the disk than the list once had pages. */
function keyOfPage([workspace, page]: readonly unknown[]): string {
  const { workspaceId } = workspace as { readonly workspaceId: number };
  const { part, number } = page as { readonly part: string; readonly number: number };
  return `${workspaceId}-${part}-${number}`;
}

/** The tag of a kept result. @param text what `toWire` makes of its content */
export function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

/** The node that a call is about, by name of the call: it has to be the one that calls. */
export const NODE_OF_CALL: ReadonlyMap<string, (args: readonly unknown[]) => unknown> = new Map([
  ['cluster.read', ([nodeId]) => nodeId],
  ['cluster.writeNode', ([report]) => (report as { nodeId: string }).nodeId],
  ['cluster.markNodeStopped', ([nodeId]) => nodeId],
  ['backup.readCut', ([nodeId]) => nodeId],
  ['backup.reportCut', ([report]) => (report as { nodeId: string }).nodeId],
]);
