/**
 * Fills random pods, and compares each filling with the optimum of an integer program (HiGHS): what it is worth, and how long it takes.
 *
 *   npm run bench:pods -- [--pods 200] [--slots 10] [--candidates 200] [--labels 20] [--seed 1]
 */
import { parseArgs } from 'node:util';
import loadHighs from 'highs';
import { fillPod } from '../../src/delivery/decision/pods/fill-pod.ts';
import type { Pod } from '../../src/delivery/decision/pods/fill-pod.ts';
import { drawPod, worthOf } from '../../test/worlds/random-pod.ts';

const { values: flags } = parseArgs({
  options: {
    pods: { type: 'string', default: '200' },
    slots: { type: 'string', default: '10' },
    candidates: { type: 'string', default: '200' },
    labels: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});

const WARM_UP_ROUNDS = 20;
const TIMED_ROUNDS = 7;

/** The pod as a problem in CPLEX's LP form: a binary variable for each option in each slot. */
function programOf({ options, sharedTimes, timesMs, groupMax }: Pod): string {
  const rows = new Map<string, string[]>();
  const limits = new Map<string, number>();
  const add = (row: string, limit: number, term: string): void => {
    limits.set(row, limit);
    const terms = rows.get(row) ?? [];
    terms.push(term);
    rows.set(row, terms);
  };
  const worths: string[] = [];
  const names: string[] = [];
  for (const [index, option] of options.entries())
    for (const [slot, time] of sharedTimes.entries()) {
      const worth = option.worths[slot] ?? 0;
      if (worth === 0) continue;
      const name = `x${index}_${slot}`;
      names.push(name);
      worths.push(`${worth / 1_000_000} ${name}`);
      add(`s${slot}`, 1, name);
      add(`o${index}`, 1, name);
      if (time >= 0) add(`t${time}`, (timesMs[time] ?? 0) / 1_000, `${option.durationMs / 1_000} ${name}`);
      for (const group of option.groups) add(`g${group}`, groupMax[group] ?? 0, name);
    }
  const lines = [...rows].map(([row, terms]) => ` ${row}: ${terms.join(' + ')} <= ${limits.get(row)}`);
  return ['Maximize', ` obj: ${worths.join(' + ')}`, 'Subject To', ...lines, 'Binary', ...names, 'End', ''].join('\n');
}

/** The package types its default export as a module. */
const openSolver = loadHighs as unknown as typeof loadHighs.default;

let state = Number(flags.seed);
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const size = { slots: Number(flags.slots), candidates: Number(flags.candidates), labels: Number(flags.labels) };
const pods = Array.from({ length: Number(flags.pods) }, () => drawPod(size, random));
for (let round = 0; round < WARM_UP_ROUNDS; round += 1) for (const pod of pods) fillPod(pod);

const highs = await openSolver();
const shares: number[] = [];
const times: number[] = [];
for (const pod of pods) {
  let filled: number[] = [];
  let fastestMs = Number.POSITIVE_INFINITY;
  // Other work of the machine can only slow a round down.
  for (let round = 0; round < TIMED_ROUNDS; round += 1) {
    const startedMs = performance.now();
    filled = fillPod(pod);
    fastestMs = Math.min(fastestMs, performance.now() - startedMs);
  }
  times.push(fastestMs);
  const worth = worthOf(pod, filled);
  if (worth === null) throw new Error('A filling breaks a rule of its pod.');
  const { ObjectiveValue: best, Status: status } = highs.solve(programOf(pod), { output_flag: false });
  if (status !== 'Optimal') throw new Error(`HiGHS: ${status}`);
  shares.push(best === 0 ? 1 : worth / 1_000_000 / best);
}
const sortedBy = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other);
const percent = (share: number | undefined): string => `${((share ?? 0) * 100).toFixed(2)} %`;
const at = (numbers: readonly number[], share: number): number =>
  sortedBy(numbers)[Math.floor(share * (numbers.length - 1))] ?? 0;
const total = shares.reduce((sum, share) => sum + share, 0) / shares.length;
console.log(`${pods.length} pods of ${size.slots} slots and ${size.candidates} candidates`);
console.log(
  `worth of the optimum: mean ${percent(total)}, 1 % below ${percent(at(shares, 0.01))}, least ${percent(at(shares, 0))}`,
);
console.log(
  `time: median ${at(times, 0.5).toFixed(2)} ms, 99 % within ${at(times, 0.99).toFixed(2)} ms, longest ${at(times, 1).toFixed(2)} ms`,
);
