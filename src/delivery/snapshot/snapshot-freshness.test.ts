import { beforeEach, expect, test } from 'vitest';
import { SnapshotFreshness } from './snapshot-freshness.ts';

let nowMs: number;
let observed: number[];
let freshness: SnapshotFreshness;

beforeEach(() => {
  nowMs = 1_000;
  observed = [];
  freshness = new SnapshotFreshness(
    () => nowMs,
    (durationMs) => observed.push(durationMs),
  );
});

/** A read that takes so long, as far as the clock goes. */
function read(durationMs: number): void {
  freshness.begin();
  nowMs += durationMs;
  freshness.read();
}

test('a snapshot from the disk is behind since the start, until the first read of a connected feed', () => {
  nowMs = 5_000;
  expect(freshness.behindSinceMs).toBe(1_000);
  read(100);
  expect(freshness.behindSinceMs).toBe(5_100);
  freshness.connected();
  read(100);
  expect(freshness.behindSinceMs).toBeNull();
});

test('a change that arrives while an earlier one is read leaves the snapshot behind since its own notice', () => {
  freshness.connected();
  read(0);
  freshness.noticed();
  freshness.begin();
  nowMs += 50;
  freshness.noticed();
  nowMs += 50;
  expect(freshness.behindSinceMs).toBe(1_000);
  freshness.read();
  expect(freshness.behindSinceMs).toBe(1_050);
  read(20);
  expect(freshness.behindSinceMs).toBeNull();
  expect(observed).toEqual([0, 100, 70]);
});

test('a read that fails keeps the time of the change that it was for', () => {
  freshness.connected();
  read(0);
  freshness.noticed();
  freshness.begin();
  nowMs += 1_000;
  freshness.begin();
  expect(freshness.behindSinceMs).toBe(1_000);
});

test('a lost connection makes the snapshot old, although nothing changes', () => {
  freshness.connected();
  read(0);
  nowMs = 2_000;
  freshness.lost();
  read(10);
  nowMs = 9_000;
  expect(freshness.behindSinceMs).toBe(2_010);
});
