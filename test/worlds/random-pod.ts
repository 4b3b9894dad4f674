import type { Pod, PodOption } from '../../src/delivery/decision/pods/fill-pod.ts';

/** How many slots, candidates and labels a random pod has. */
export interface PodSize {
  readonly slots: number;
  readonly candidates: number;
  readonly labels: number;
}

const DURATIONS_S = [6, 10, 15, 15, 20, 30, 30, 45, 60];

/** A pod with slots of their own and slots that share time, in which ads of one line item, advertiser or label exclude each other. */
export function drawPod({ slots, candidates, labels }: PodSize, random: () => number): Pod {
  const whole = (below: number): number => Math.floor(random() * below);
  const form = whole(3);
  const sharedTimes = Array.from({ length: slots }, (_slot, at) => {
    if (form === 0) return -1;
    return form === 1 || at >= slots / 2 ? 0 : -1;
  });
  const timesMs = [(8 + whole(12)) * slots * 1_000];
  const longest = sharedTimes.map((shared) => (shared < 0 ? [15, 30, 60][whole(3)] : 60) as number);
  const floors = sharedTimes.map(() => whole(4));
  const advertisers = Math.max(1, Math.floor(candidates / 4));
  const groupMax = [
    ...Array.from({ length: labels }, () => 1),
    ...Array.from({ length: advertisers }, () => 1 + whole(3)),
  ];
  const options = Array.from({ length: candidates }, (): PodOption => {
    const seconds = DURATIONS_S[whole(DURATIONS_S.length)] as number;
    const worth = Math.ceil((1 + 19 * random() ** 2) * (0.5 + seconds / 30) * 1_000_000);
    const fits = (slot: number): boolean =>
      seconds <= (longest[slot] as number) && worth >= (floors[slot] as number) * 1_000_000 && random() > 0.1;
    return {
      durationMs: seconds * 1_000,
      worths: longest.map((_longest, slot) => (fits(slot) ? worth : 0)),
      groups: [...(random() < 0.5 && labels > 0 ? [whole(labels)] : []), labels + whole(advertisers)],
    };
  });
  return { sharedTimes, timesMs, options, groupMax };
}

/** What a filling is worth; null when it breaks a rule of the pod. */
export function worthOf({ options, sharedTimes, timesMs, groupMax }: Pod, filled: readonly number[]): number | null {
  const left = [...timesMs];
  const used = groupMax.map(() => 0);
  const seen = new Set<number>();
  let worth = 0;
  for (const [slot, index] of filled.entries()) {
    if (index < 0) continue;
    const option = options[index];
    const own = option?.worths[slot] ?? 0;
    if (option === undefined || own === 0 || seen.has(index)) return null;
    seen.add(index);
    worth += own;
    const time = sharedTimes[slot] ?? -1;
    if (time >= 0) left[time] = (left[time] ?? 0) - option.durationMs;
    for (const group of option.groups) used[group] = (used[group] ?? 0) + 1;
  }
  const isKept = left.every((time) => time >= 0) && used.every((ads, group) => ads <= (groupMax[group] ?? 0));
  return isKept ? worth : null;
}

/** The most that any filling is worth, found by trying all of them. */
export function bestByTryingAll(pod: Pod): number {
  const filled = pod.sharedTimes.map(() => -1);
  let best = 0;
  const visit = (slot: number): void => {
    if (slot === filled.length) {
      best = Math.max(best, worthOf(pod, filled) ?? 0);
      return;
    }
    for (let option = -1; option < pod.options.length; option += 1) {
      filled[slot] = option;
      visit(slot + 1);
    }
  };
  visit(0);
  return best;
}
