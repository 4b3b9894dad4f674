/**
 * The CPU time that a ledger takes for an event, by where it runs: in the thread that serves requests, or in a thread of its own that several serving threads
 * hand their events to. One event is a record of 200 bytes that adds to 14 counters, sets one claim and one user's record.
 *
 *   node bench/ledger/spike.ts [--events 200000] [--batch 32]
 *
 * CPU time of each thread for an event, without HTTP and without the disk; then what a checkpoint and a replay cost for so many claims, users
 * and counters.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { crc32 } from 'node:zlib';

const RECORD_BYTES = 200;
const COUNTERS_OF_EVENT = 14;
const COUNTERS = 60_000;
const USERS = 1_000_000;

/** The state that is folded from records. */
class State {
  /** Counters by number: shared memory that serving threads read without locks. */
  readonly counters: BigInt64Array;
  readonly claims = new Set<bigint>();
  /** The newest events of a user, by the user's hash: offsets in one buffer of fixed records. */
  readonly users = new Map<bigint, number>();
  readonly userRecords = new Float64Array(USERS * 4);
  applied = 0;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(COUNTERS * 8)) {
    this.counters = new BigInt64Array(memory);
  }

  /** @returns whether the record is the first of its event */
  apply(record: Buffer, at: number): boolean {
    this.applied += 1;
    const id = record.readBigUInt64LE(at + 8);
    if (this.claims.has(id)) return false;
    this.claims.add(id);
    for (let index = 0; index < COUNTERS_OF_EVENT; index += 1) {
      const counter = record.readUInt32LE(at + 40 + index * 4);
      this.counters[counter] = (this.counters[counter] as bigint) + 1n;
    }
    const user = record.readBigUInt64LE(at + 16);
    let cell = this.users.get(user);
    if (cell === undefined) this.users.set(user, (cell = this.users.size % USERS));
    this.userRecords[cell * 4 + (this.applied & 3)] = record.readDoubleLE(at + 24);
    return true;
  }
}

let turn = 0;
/** Writes the next event's record, as a serving thread does. */
function writeRecord(into: Buffer, at: number): void {
  turn += 1;
  into.writeUInt32LE(RECORD_BYTES, at);
  into.writeBigUInt64LE((BigInt(turn) * 0x9e3779b97f4a7c15n) & 0xffff_ffff_ffff_ffffn, at + 8);
  into.writeBigUInt64LE(BigInt((turn * 7_919) % 200_000) + 1n, at + 16);
  into.writeDoubleLE(turn, at + 24);
  for (let index = 0; index < COUNTERS_OF_EVENT; index += 1)
    into.writeUInt32LE((turn * 31 + index * 4_099) % COUNTERS, at + 40 + index * 4);
  into.write('300x250 DE desktop Linux Firefox STANDARD BANNER', at + 100, 'latin1');
  into.writeUInt32LE(crc32(into.subarray(at + 8, at + RECORD_BYTES)), at + 4);
}

function micros(before: NodeJS.CpuUsage, events: number): string {
  const { user, system } = process.threadCpuUsage(before);
  return `${((user + system) / events).toFixed(2)} µs`;
}

if (isMainThread) await main();
else serveLedger();

/** The ledger thread: applies what comes, and returns for each batch the results and its CPU time so far. */
function serveLedger(): void {
  const state = new State();
  parentPort?.on('message', (bytes: Uint8Array) => {
    const batch = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const results = new Uint8Array(batch.length / RECORD_BYTES);
    for (let at = 0; at < batch.length; at += RECORD_BYTES) results[at / RECORD_BYTES] = state.apply(batch, at) ? 1 : 0;
    const { user, system } = process.threadCpuUsage();
    parentPort?.postMessage({ results, cpuMicros: user + system });
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { events: { type: 'string', default: '200000' }, batch: { type: 'string', default: '32' } },
  });
  const events = Number(values.events);
  const batch = Number(values.batch);
  const own = Buffer.alloc(batch * RECORD_BYTES);
  for (let at = 0; at < 20_000; at += 1) writeRecord(own, 0);

  let before = process.threadCpuUsage();
  for (let at = 0; at < events; at += 1) writeRecord(own, (at % batch) * RECORD_BYTES);
  console.log(`write a record with its checksum      ${micros(before, events)}`);

  const state = new State();
  before = process.threadCpuUsage();
  for (let at = 0; at < events; at += 1) {
    writeRecord(own, (at % batch) * RECORD_BYTES);
    state.apply(own, (at % batch) * RECORD_BYTES);
  }
  console.log(`write and apply in the same thread    ${micros(before, events)}`);

  await crossThreads(events, batch);
  await resolvePromises(events, batch);
  checkpointAndReplay(state, events);
}

/** Hands batches to the ledger thread and waits for each response, as a group commit does. */
async function crossThreads(events: number, batch: number): Promise<void> {
  const ledger = new Worker(import.meta.filename);
  let cpuMicros = 0;
  let began = 0;
  const before = process.threadCpuUsage();
  for (let sent = 0; sent < events; sent += batch) {
    const bytes = Buffer.allocUnsafeSlow(batch * RECORD_BYTES);
    for (let at = 0; at < batch; at += 1) writeRecord(bytes, at * RECORD_BYTES);
    ledger.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
    const [response] = (await once(ledger, 'message')) as [{ cpuMicros: number }];
    cpuMicros = response.cpuMicros;
    if (began === 0) began = cpuMicros;
  }
  const { user, system } = process.threadCpuUsage(before);
  const serving = ((user + system) / events).toFixed(2);
  console.log(
    `write, hand over in batches of ${batch}: serving thread ${serving} µs, ledger thread ${((cpuMicros - began) / events).toFixed(2)} µs`,
  );
  await ledger.terminate();
}

/** Resolves a promise for each event of a batch, and prints the CPU time. */
async function resolvePromises(events: number, batch: number): Promise<void> {
  const before = process.threadCpuUsage();
  for (let sent = 0; sent < events; sent += batch) {
    const waiting = Array.from({ length: batch }, () => Promise.withResolvers<boolean>());
    const all = waiting.map(({ promise }) => promise.then((first) => first));
    for (const { resolve } of waiting) resolve(true);
    await Promise.all(all);
  }
  console.log(`resolve a promise for each event      ${micros(before, events)}`);
}

function checkpointAndReplay(state: State, events: number): void {
  let before = process.threadCpuUsage();
  const claims = new BigUint64Array(state.claims.size);
  let at = 0;
  for (const claim of state.claims) claims[at++] = claim;
  const users = new BigUint64Array(state.users.size * 2);
  at = 0;
  for (const [user, cell] of state.users) {
    users[at++] = user;
    users[at++] = BigInt(cell);
  }
  const { user, system } = process.threadCpuUsage(before);
  console.log(
    `copy a checkpoint: ${((user + system) / 1_000).toFixed(0)} ms for ${claims.length} claims and ${users.length / 2} users`,
  );
  const log = Buffer.alloc(50_000 * RECORD_BYTES);
  for (let index = 0; index < 50_000; index += 1) writeRecord(log, index * RECORD_BYTES);
  const fresh = new State();
  before = process.threadCpuUsage();
  let broken = 0;
  for (let index = 0; index < 50_000; index += 1) {
    const start = index * RECORD_BYTES;
    if (crc32(log.subarray(start + 8, start + RECORD_BYTES)) !== log.readUInt32LE(start + 4)) broken += 1;
    else fresh.apply(log, start);
  }
  console.log(
    `replay a record                       ${micros(before, 50_000)} (${broken} broken; ${events} events before)`,
  );
}
