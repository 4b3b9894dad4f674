import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PERIOD_MICROS = 100_000;

/** A control group whose processes share a part of one processor. */
export interface ProcessorShare {
  /** Puts a process, and the children that it makes from now on, into the group. */
  add(pid: number): void;
  /** Its processes may use all processors again. */
  release(): void;
  /** Call it when its processes have ended. */
  remove(): void;
}

/** Makes such a group; null where this system or user cannot. */
export function limitProcessor(name: string, percent: number): ProcessorShare | null {
  const quota = Math.round((PERIOD_MICROS * percent) / 100);
  for (const [root, file, text, free] of [
    ['/sys/fs/cgroup/cpu', 'cpu.cfs_quota_us', String(quota), '-1'],
    ['/sys/fs/cgroup', 'cpu.max', `${quota} ${PERIOD_MICROS}`, 'max'],
  ] as const) {
    const dir = join(root, `${name}-${process.pid}`);
    try {
      if (!existsSync(join(root, 'cgroup.procs'))) continue;
      mkdirSync(dir);
      writeFileSync(join(dir, file), text);
      if (readFileSync(join(dir, file), 'utf8').trim() !== text) throw new Error('the limit was not taken');
      return {
        add: (pid) => writeFileSync(join(dir, 'cgroup.procs'), String(pid)),
        release: () => writeFileSync(join(dir, file), free),
        remove: () => rmdirSync(dir),
      };
    } catch {
      if (existsSync(dir)) rmdirSync(dir);
    }
  }
  return null;
}
