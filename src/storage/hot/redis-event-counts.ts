import { MissingLinesError } from './event-counts.ts';
import type { EventCounts, EventLine, LineBatch } from './event-counts.ts';
import { locationOf } from './event-location.ts';
import type { EventLocation } from './event-location.ts';
import { checkSum } from './event-shards.ts';
import type { EventShards, ShardClaim, ShardStep, StepReply } from './event-shards.ts';
import { checkBatch, checkEventLine, checkKey } from './hot-bounds.ts';
import type { CounterIncrement, ListPush } from './hot-store.ts';
import { within64Bits } from './counter-effects.ts';

/** Files whose progress is remembered; the oldest gives way. */
const FILES_MAX = 1_000;
/** Steps of one call in one shard: each time, another call moved the progress in between. */
const TRIES_MAX = 8;
/** Lines of one step of `countRest`: few enough to keep decisions of all machines from waiting long for Redis, which runs one call at a time. */
const LINES_PER_STEP = 500;

/** Where this process knows a file to be in one shard. */
interface KnownShard {
  claimedTo: number;
  addedTo: number;
}

/** What this process knows of a file. */
interface KnownFile {
  /** All lines before it are counted. */
  to: number;
  readonly shards: Map<number, KnownShard>;
}

/** A line, and what is known of its event. */
interface Counted {
  readonly line: EventLine;
  readonly location: EventLocation;
  readonly shard: number;
  /** By the claims of an older version: its event was counted by this line, or by another one. */
  readonly old: 'counted' | 'duplicate' | null;
}

/** The part of a batch that one shard adds. */
interface ShardEffects {
  readonly increments: readonly CounterIncrement[];
  readonly pushes: readonly ListPush[];
}

type Field = 'claimedTo' | 'addedTo';

/**
 * Counts events in shards, which change alone. A line is counted in two phases: its event is claimed in the shard of its set, then the sums
 * of the batch are added in the shards of the counters. Each shard remembers for each file how far it has claimed and how far it has added,
 * in the same step. A step runs only when the shard's progress is what the caller expects, so a step that is lost, late or repeated never
 * adds twice.
 */
export class RedisEventCounts implements EventCounts {
  readonly #open: () => Promise<EventShards>;
  readonly #files = new Map<string, KnownFile>();

  constructor(open: () => Promise<EventShards>) {
    this.#open = open;
  }

  async countLines(batch: LineBatch): Promise<readonly boolean[]> {
    checkBatch(batch.lines.length);
    checkKey(batch.file);
    batch.lines.forEach(checkEventLine);
    const shards = await this.#open();
    const known = await this.#knownFor(shards, batch);
    const lines = await toCounted(shards, batch);
    const at = { file: batch.file, to: batch.to, known };
    const duplicates = await this.#count(shards, at, lines);
    if (batch.to > known.to) {
      known.to = batch.to;
      this.#writeDone(shards, batch.file, known);
    }
    return batch.lines.map(({ offset }) => !duplicates.has(offset));
  }

  async countRest(
    { file, to }: { readonly file: string; readonly to: number },
    readLines: (from: number) => readonly EventLine[],
  ): Promise<ReadonlySet<number>> {
    checkKey(file);
    const shards = await this.#open();
    const [progress, done] = await Promise.all([shards.readProgress(file), shards.readDone(file)]);
    const known = { to: 0, shards: new Map(progress.map((one, shard) => [shard, { ...one }] as const)) };
    const duplicates = new Set(progress.flatMap((one) => one.duplicates));
    // With this progress in all shards, lines before `done.to` were counted, and no shard has lost any since.
    const countedTo = done !== null && done.checkSum === checkSum(known.shards) ? done.to : 0;
    if (countedTo >= to) return duplicates;
    const lines = readLines(countedTo);
    for (let from = 0; from < lines.length; from += LINES_PER_STEP) {
      const part = lines.slice(from, from + LINES_PER_STEP);
      part.forEach(checkEventLine);
      const end = lines[from + LINES_PER_STEP]?.offset ?? to;
      const counted = await toCounted(shards, { file, lines: part });
      for (const offset of await this.#count(shards, { file, to: end, known }, counted)) duplicates.add(offset);
    }
    known.to = to;
    this.#remember(file, known);
    this.#writeDone(shards, file, known);
    return duplicates;
  }

  async forgetFile(file: string): Promise<void> {
    checkKey(file);
    this.#files.delete(file);
    await (await this.#open()).forget(file);
  }

  async isCounted(key: string): Promise<boolean> {
    checkKey(key);
    const shards = await this.#open();
    const { set, member } = locationOf(key);
    if (await shards.hasEvent(set, member)) return true;
    const [old = null] = await shards.readOldClaims([key]);
    return old !== null;
  }

  /** @throws MissingLinesError when lines before the batch are not known to be counted */
  async #knownFor(shards: EventShards, { file, from }: LineBatch): Promise<KnownFile> {
    const known = this.#files.get(file) ?? (from === 0 ? { to: 0, shards: new Map() } : await this.#read(shards, file));
    if (known.to < from) throw missing(file, `lines before ${from} are counted to ${known.to} only`);
    this.#remember(file, known);
    return known;
  }

  async #read(shards: EventShards, file: string): Promise<KnownFile> {
    const [progress, done] = await Promise.all([shards.readProgress(file), shards.readDone(file)]);
    const known = new Map(progress.map((one, shard) => [shard, { ...one }] as const));
    return { to: done?.to ?? 0, shards: known };
  }

  #remember(file: string, known: KnownFile): void {
    this.#files.delete(file);
    this.#files.set(file, known);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= FILES_MAX) break;
      this.#files.delete(oldest);
    }
  }

  /** Both phases. @returns offsets of duplicates, of these lines at least */
  async #count(
    shards: EventShards,
    at: { readonly file: string; readonly to: number; readonly known: KnownFile },
    lines: readonly Counted[],
  ): Promise<ReadonlySet<number>> {
    const step = { ...at, sentMs: shards.nowMs() };
    const duplicates = new Set<number>();
    const claim = async (...call: Parameters<EventShards['claim']>): Promise<StepReply> => {
      const reply = await shards.claim(...call);
      for (const offset of reply.duplicates) duplicates.add(offset);
      return reply;
    };
    const claims = [...groupBy(lines, ({ shard }) => shard)].map(([shard, part]) =>
      this.#move(step, { shard, field: 'claimedTo' }, async (now, from) => {
        const open = part.filter(({ line }) => line.offset >= from);
        // A step that is done already returns all duplicates, also those of lines that this process claimed in an earlier batch.
        if (open.length < part.length && now.to > from) await claim(shard, { ...now, to: from }, []);
        return claim(shard, now, open.map(toClaim));
      }),
    );
    await allOf(claims);
    const firsts = lines.filter(({ line, old }) => old !== 'counted' && !duplicates.has(line.offset));
    const additions = [...listByShard(shards, firsts)].map(([shard, part]) =>
      this.#move(step, { shard, field: 'addedTo' }, (now, from) =>
        shards.add(shard, now, sumEffects(shards, { shard, lines: part.filter(({ offset }) => offset >= from) })),
      ),
    );
    await allOf(additions);
    return duplicates;
  }

  /** Moves the progress in one shard to the end of the batch. Where another call went a part of the way, only the rest is done. */
  async #move(
    {
      file,
      to,
      known,
      sentMs,
    }: { readonly file: string; readonly to: number; readonly known: KnownFile; readonly sentMs: number },
    { shard, field }: { readonly shard: number; readonly field: Field },
    send: (step: ShardStep, from: number) => Promise<StepReply>,
  ): Promise<void> {
    const here = known.shards.get(shard) ?? { claimedTo: 0, addedTo: 0 };
    known.shards.set(shard, here);
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const from = here[field];
      const { state, at } = await send({ file, known: from, to, sentMs }, from);
      if (state === 'lost') throw missing(file, `shard ${shard} has lost what it confirmed: ${at} instead of ${from}`);
      if (state === 'late') throw missing(file, 'the call is too old to begin it');
      here[field] = Math.max(here[field], at);
      if (state !== 'ahead') return;
    }
    throw new Error(`Other calls count ${file} at the same time`);
  }

  /** Not awaited: without it, the file is read once more when it is sealed. */
  #writeDone(shards: EventShards, file: string, { to, shards: progress }: KnownFile): void {
    shards.writeDone(file, { to, checkSum: checkSum(progress) }).catch(() => undefined);
  }
}

function missing(file: string, why: string): MissingLinesError {
  return new MissingLinesError(`${file}: ${why}`);
}

/** Waits for all, also when one fails: nothing runs on behind the caller's back. */
async function allOf(calls: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(calls);
  for (const one of results) if (one.status === 'rejected') throw one.reason;
}

async function toCounted(
  shards: EventShards,
  { file, lines }: { readonly file: string; readonly lines: readonly EventLine[] },
): Promise<readonly Counted[]> {
  const standing = await shards.readOldClaims(lines.map(({ key }) => key));
  return lines.map((line, index) => {
    const location = locationOf(line.key);
    const position = standing[index] ?? null;
    const old = position === null ? null : position === `${file}/${line.offset}` ? 'counted' : 'duplicate';
    return { line, location, shard: shards.shardOf(location.set), old };
  });
}

function toClaim({ line, location, old }: Counted): ShardClaim {
  return { ...location, ttlMs: line.ttlMs, offset: line.offset, isDuplicate: old === 'duplicate' };
}

/** The lines that change something in each shard, in order. */
function listByShard(shards: EventShards, lines: readonly Counted[]): Map<number, EventLine[]> {
  const byShard = new Map<number, EventLine[]>();
  for (const { line } of lines) {
    for (const { key } of [...line.increments, ...line.pushes]) {
      const shard = shards.shardOf(key);
      const part = byShard.get(shard);
      if (part === undefined) byShard.set(shard, [line]);
      else if (part.at(-1) !== line) part.push(line);
    }
  }
  return byShard;
}

/** What lines add in one shard: one sum for each counter. */
function sumEffects(
  shards: EventShards,
  { shard, lines }: { readonly shard: number; readonly lines: readonly EventLine[] },
): ShardEffects {
  const sums = new Map<string, { key: string; by: bigint; ttlMs: number }>();
  const pushes: ListPush[] = [];
  for (const line of lines) {
    for (const { key, by, ttlMs } of line.increments) {
      if (shards.shardOf(key) !== shard) continue;
      const sum = sums.get(key);
      if (sum === undefined) sums.set(key, { key, by, ttlMs });
      else sum.by = within64Bits(sum.by + by);
    }
    for (const push of line.pushes) if (shards.shardOf(push.key) === shard) pushes.push(push);
  }
  return { increments: [...sums.values()], pushes };
}

function groupBy<Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => number): Map<number, Entry[]> {
  const groups = new Map<number, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group === undefined) groups.set(keyOf(entry), [entry]);
    else group.push(entry);
  }
  return groups;
}
