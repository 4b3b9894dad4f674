import { expect, test } from 'vitest';
import type { FloorRule } from '../../domain/booking/floor.ts';
import type { Slot } from '../../domain/requests/opportunity.ts';
import { compileWorkspace } from './index/compile-workspace.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import { decide } from './decide.ts';

const MASTER_SIZE = { width: 300, height: 250 };
const COMPANION_SIZE = { width: 728, height: 90 };
const nowMs = Date.parse('2026-11-20T10:00:00Z');

interface Crowd {
  readonly lineItems: number;
  readonly slots: readonly Partial<Slot>[];
  readonly floors?: readonly Partial<FloorRule>[];
}

/** Line items that all need a 728x90 beside their 300x250; counts how often one of their caps was read. */
function decideCrowd(crowd: Crowd): { shown: (string | null)[]; reads: number } {
  const ids = Array.from({ length: crowd.lineItems }, (_, at) => String(at + 1));
  const snapshot = sampleSnapshot({
    lineItems: ids.map((id) => ({ id, companionMode: 'ALL', caps: { impressionsLifetime: 1_000 } })),
    creatives: ids.flatMap((id) => [
      { id: `${id}00`, lineItemId: id },
      { id: `${id}01`, lineItemId: id, masterCreativeId: `${id}00`, ...COMPANION_SIZE },
    ]),
    floors: crowd.floors ?? [],
  });
  const compiled = compileWorkspace(snapshot, nowMs, (_id, error) => {
    throw error;
  });
  const slots = crowd.slots.map((overrides, at) => sampleSlot({ slotId: `s${at}`, ...overrides }));
  let reads = 0;
  const counter = () => {
    reads += 1;
    return 0;
  };
  const { placements } = decide(compiled, sampleOpportunity({ slots }), {
    state: { counter },
    nowMs,
    random: () => 0.5,
  });
  return { shown: placements.map((one) => one?.creative.creative.id ?? null), reads };
}

test('the look-ahead skips the full check of slots whose size fits no companion', () => {
  const { shown, reads } = decideCrowd({ lineItems: 20, slots: Array.from({ length: 40 }, () => ({})) });
  expect(shown.every((one) => one === null)).toBe(true);
  expect(reads).toBe(20 * 40);
});

/** Companions are dearer than any bid, wherever they fit by size. */
const TOO_DEAR = [{ sizes: [COMPANION_SIZE], floorMicros: 1e9 }];

test('a slot that filtered a companion once is not checked again', () => {
  const slots = Array.from({ length: 40 }, (_, at) => (at < 39 ? {} : { sizes: [MASTER_SIZE, COMPANION_SIZE] }));
  const { shown, reads } = decideCrowd({ lineItems: 20, slots, floors: TOO_DEAR });
  expect(shown.every((one) => one === null)).toBe(true);
  expect(reads).toBe(20 * 40 + 20);
});

test('a companion waits for the only slot that accepts it', () => {
  const slots = Array.from({ length: 100 }, (_, at) => (at < 99 ? {} : { sizes: [COMPANION_SIZE] }));
  const { shown } = decideCrowd({ lineItems: 20, slots });
  const [master] = shown;
  expect(shown.filter((one) => one !== null)).toEqual([master, master?.replace(/00$/, '01')]);
  expect(shown[99]).toBe(master?.replace(/00$/, '01'));
});

test('the look-ahead ends when a request has used its share of work', () => {
  const lineItems = 300;
  const slots = Array.from({ length: 100 }, () => ({ sizes: [MASTER_SIZE, COMPANION_SIZE] }));
  const { shown, reads } = decideCrowd({ lineItems, slots, floors: TOO_DEAR });
  expect(shown.every((one) => one === null)).toBe(true);
  const looks = reads - lineItems * 100;
  expect(looks).toBeGreaterThan(10_000);
  expect(looks).toBeLessThan(400_000 / 20);
});
