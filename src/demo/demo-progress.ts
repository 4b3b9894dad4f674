import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { HistoryPlan } from './history.olap.ts';

/**
 * `<data>/demo-progress.json`, as long as the demo is not whole: what is left to make, so that a start after a kill completes it.
 * The plans are kept in it, because the history must not follow from what users change meanwhile.
 */
export type DemoProgress =
  | { readonly step: 'booking' }
  | {
      readonly step: 'history';
      /** One making of the demo: another one's rows have other tokens. */
      readonly id: string;
      readonly plans: readonly HistoryPlan[];
      /** How many stretches are written. */
      readonly done: number;
    };

/** The remaining steps, or null when the demo is complete (or there is none). */
export function readDemoProgress(dataDir: string): DemoProgress | null {
  try {
    return JSON.parse(readFileSync(progressPath(dataDir), 'utf8')) as DemoProgress;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Tells of a workspace whether the demo's history of it is still being made. */
export function demoHistoryOf(dataDir: string): (workspaceId: number) => boolean {
  return (workspaceId) => {
    const progress = readDemoProgress(dataDir);
    return progress?.step === 'history' && progress.plans.some((plan) => plan.workspaceId === workspaceId);
  };
}

/** Writes the file whole or not at all. */
export function writeDemoProgress(dataDir: string, progress: DemoProgress): void {
  const path = progressPath(dataDir);
  const aside = `${path}.${process.pid}.tmp`;
  const file = openSync(aside, 'w', 0o600);
  writeSync(file, `${JSON.stringify(progress)}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(aside, path);
}

/** The demo is whole. */
export function removeDemoProgress(dataDir: string): void {
  rmSync(progressPath(dataDir), { force: true });
}

function progressPath(dataDir: string): string {
  return join(dataDir, 'demo-progress.json');
}
