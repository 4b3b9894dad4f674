import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const LISTED_FILES = 20;

interface FileCost {
  readonly path: string;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
}

function costOf(module: TestModule): FileCost {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return {
    path: relative(process.cwd(), module.moduleId),
    cpuSeconds: module.meta().cpuSeconds ?? 0,
    wallSeconds: (duration + collectDuration + setupDuration) / 1000,
  };
}

function sum(costs: readonly FileCost[], member: 'cpuSeconds' | 'wallSeconds'): string {
  return costs.reduce((total, cost) => total + cost[member], 0).toFixed(0);
}

/**
 * Prints the most expensive test files of a run, by CPU time. A file's CPU time is that of its worker and of its ended child processes; the
 * stores and the server that the files of a run share are not in it.
 */
// Vitest loads a reporter's default export.
// oxlint-disable-next-line import/no-default-export
export default class CostReporter implements Reporter {
  readonly #startedAtMs = performance.now();

  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules.map(costOf).toSorted((one, other) => other.cpuSeconds - one.cpuSeconds);
    if (costs.length < 2) return;
    const seconds = ((performance.now() - this.#startedAtMs) / 1000).toFixed(0);
    const lines = costs.slice(0, LISTED_FILES).map(({ path, cpuSeconds, wallSeconds }) => {
      return `${cpuSeconds.toFixed(1).padStart(8)} ${wallSeconds.toFixed(1).padStart(8)}  ${path}`;
    });
    const total = `${costs.length} files took ${sum(costs, 'cpuSeconds')} s of CPU time, ${sum(costs, 'wallSeconds')} s one after the other, ${seconds} s in this run`;
    process.stdout.write(`\n${total}\n   CPU s   wall s\n${lines.join('\n')}\n`);
  }
}
