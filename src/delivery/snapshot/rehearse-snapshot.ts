import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { localDaySpan, zoneOffsets } from '../../domain/time/time-zone.ts';
import { compileSteps } from '../decision/index/compile-workspace.ts';
import { readSnapshotFile, SNAPSHOT_FILE } from './snapshot-file.ts';
import { sliceSteps } from './slice-steps.ts';

/** A larger file is skipped: Node.js has compiled all of the code long before its end. */
const BYTES_MAX = 16 * 1_024 ** 2;
const HOUR_MS = 3_600_000;

/**
 * Reads and compiles the last good snapshot and discards it, so that the code is compiled and time zones are loaded before a worker needs
 * them. Uses memory only while it runs. @throws Error when the file is missing or damaged
 */
export async function rehearseSnapshot(dir: string): Promise<void> {
  if ((await stat(join(dir, SNAPSHOT_FILE))).size > BYTES_MAX) return;
  const nowMs = Date.now();
  for (const snapshot of (await readSnapshotFile(dir))?.snapshots ?? []) {
    await sliceSteps(compileSteps(snapshot, { nowMs, reportUnusable: () => undefined, previous: null }));
    const { timezone } = snapshot.workspace;
    zoneOffsets(timezone, localDaySpan(timezone, nowMs).startMs, { stepMs: HOUR_MS, count: 24 });
  }
}
