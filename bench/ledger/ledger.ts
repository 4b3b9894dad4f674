/**
 * Measures the ledger alone: CPU time of counting an event with 14 counters, a claim and a touch, in batches; what entries of users take in
 * memory; a start that replays a log, or reads a checkpoint; and the longest stall of the event loop while a checkpoint is written.
 *
 * `npm run bench:ledger -- 60000 2000000`: events, users
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ulid } from 'ulid';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import type { EventLine } from '../../src/storage/hot/event-counts.ts';
import { type LedgerStore, openLedger } from '../../src/storage/ledger/ledger-store.ts';

const [events = 60_000, users = 2_000_000] = process.argv.slice(2).map(Number);
const DAY_MS = 86_400_000;
const LINE_BYTES = 1_000;
const COUNTERS = 14;
const dir = mkdtempSync(join(tmpdir(), 'placard-bench-ledger-'));
const open = (): LedgerStore => openLedger({ dir, nowMs: Date.now, log: SILENT_LOG });

function lineOf(number: number, offset: number): EventLine {
  const lineItem = 1_000 + (number % 500);
  return {
    offset,
    key: `e/${ulid()}:imp`,
    ttlMs: DAY_MS,
    increments: Array.from({ length: COUNTERS }, (_none, at) => ({
      key: `d/1001/${lineItem}/2026-11-29/kind${at}`,
      by: 1_200n,
      ttlMs: 40 * DAY_MS,
    })),
    pushes: [{ key: `tv/1001/user${number % 50_000}`, value: `${number} ${lineItem} touch`, max: 8, ttlMs: DAY_MS }],
  };
}

async function measureCounting(together: number): Promise<void> {
  const ledger = open();
  const file = `0/${Date.now()}-${together}`;
  let cpuMicros = 0;
  for (let number = 0, from = 0; number < events; number += together, from += together * LINE_BYTES) {
    const lines = Array.from({ length: together }, (_none, at) => lineOf(number + at, from + at * LINE_BYTES));
    const before = process.cpuUsage();
    await ledger.countLines({ file, from, to: from + together * LINE_BYTES, lines });
    const { user, system } = process.cpuUsage(before);
    cpuMicros += user + system;
  }
  await ledger.flushed();
  console.log(`count ${events} events, ${together} together: ${(cpuMicros / events).toFixed(2)} µs of CPU each`);
  await ledger.close();
}

async function measureUsers(): Promise<void> {
  const ledger = open();
  const { entries, bytes } = ledger.stats;
  for (let number = 0; number < users; number += 1_000)
    await ledger.addToCounters(
      Array.from({ length: 1_000 }, (_none, at) => ({
        key: `f/1001/${String(number + at).padStart(22, '0')}/1234/86400`,
        by: 1n,
        ttlMs: DAY_MS,
      })),
    );
  const grown = ledger.stats;
  const each = (grown.bytes - bytes) / (grown.entries - entries);
  console.log(`${users} frequency counters of users: ${each.toFixed(0)} bytes each, and 12 to 24 of index`);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await ledger.checkpoint();
  delay.disable();
  const [took, longest, p99] = [
    ledger.stats.checkpoint?.milliseconds ?? 0,
    delay.max / 1e6,
    delay.percentile(99) / 1e6,
  ];
  console.log(
    `checkpoint of ${grown.entries} entries: ${took.toFixed(0)} ms, longest stall ${longest.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  );
  await ledger.close();
}

async function measureStart(what: string): Promise<void> {
  const startedMs = performance.now();
  const ledger = open();
  console.log(
    `start from ${what}: ${(performance.now() - startedMs).toFixed(0)} ms for ${ledger.stats.entries} entries`,
  );
  await ledger.close();
}

console.log(cpus()[0]?.model ?? 'unknown processor');
try {
  for (const together of [1, 8, 32, 256]) await measureCounting(together);
  await measureStart('the log');
  await measureUsers();
  await measureStart('a checkpoint');
} finally {
  rmSync(dir, { recursive: true, force: true });
}
