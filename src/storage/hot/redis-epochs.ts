import { HotStoreLostError } from './lost-shards.ts';
import { defineScript } from './redis-connection.ts';
import type { RedisConnection, RedisScript, ScriptCall } from './redis-connection.ts';
import { LOST_REPLY } from './redis-scripts.ts';
import type { ShardedNames } from './redis-shards.ts';

/**
 * What a shard says of itself. `lost`: nothing, so it was emptied. `building`: its counters are being set from the event table.
 * `recount`: machines add the counted files that the table does not have. `counting`: they count what has waited since. `ready`: budgets
 * may be spent by it.
 */
export type ShardState = 'lost' | 'building' | 'recount' | 'counting' | 'ready';

/** The state of a shard, and since which rebuild its counters are whole. */
export interface ShardStanding {
  readonly state: ShardState;
  readonly epoch: string;
}

/** The result of checking a shard. */
export interface ShardLook extends ShardStanding {
  /** Guarded writes in this epoch. */
  readonly writes: number;
  /** It came back with old data, so it is marked as lost. */
  readonly isOld: boolean;
}

/** What a process knows of a shard from earlier checks, its own or its machine's. */
export interface KnownShard {
  readonly epoch: string;
  readonly writes: number;
}

/** The last arguments of a script with a guard that checks nothing. */
export const UNGUARDED = ['', ''] as const;

/** Runs the scripts of a shard, as long as the shard is what the caller takes it for. @throws HotStoreLostError otherwise */
export interface ShardGuard {
  run(script: RedisScript, shard: number, call: ScriptCall): Promise<unknown>;
}

const FORM = /^(building|recount|counting|ready):(.+)$/;
const LOST: ShardStanding = { state: 'lost', epoch: '' };
/** A state that no shard has. */
const UNKNOWN = 'unknown';
/** After a refused call, the shards are looked at again; at most this often. */
const LOOK_EVERY_MS = 200;

/** Gives a shard another state, if it has the one that is stated. KEYS: where it is kept. ARGV: the one before, the new one. */
const MOVE = defineScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`);

/**
 * Marks a shard that came back with old data as lost, unless its state has changed since. KEYS: its state, its number of writes. ARGV: the
 * state, and the number that it is below.
 */
const GIVE_UP = defineScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if tonumber(redis.call('GET', KEYS[2]) or 0) >= tonumber(ARGV[2]) then return 0 end
return redis.call('DEL', KEYS[1])`);

/** Whether events may be counted in a shard. */
export function isCountable(state: ShardState): boolean {
  return state === 'ready' || state === 'counting';
}

/** The text of a state. */
export function formatStanding({ state, epoch }: ShardStanding): string {
  return `${state}:${epoch}`;
}

/** Where a shard keeps its state: with its counters, so it is lost with them. */
export function epochKey(names: ShardedNames, shard: number): string {
  return `${names.tagOf(shard)}epoch`;
}

/** Where a shard counts its guarded writes. */
export function writesKey(names: ShardedNames, shard: number): string {
  return `${names.tagOf(shard)}writes`;
}

/** The name of an epoch that has ended in one shard and may go on in others. */
export function endedIn(shard: number, epoch: string): string {
  return `${shard}/${epoch}`;
}

/** The shards of a store as this process knows them. Every call that counts or leases states what it knows; a shard that was emptied, or has old data, refuses it. */
export class RedisEpochs {
  readonly #connection: RedisConnection;
  readonly names: ShardedNames;
  /** False: nothing is stated, and a shard that was emptied gives zeros. */
  readonly isGuarded: boolean;
  /** What calls state: those that decide, those that count events, and those that count events again. */
  readonly #serving: string[];
  readonly #counting: string[];
  readonly #recounting: string[];
  /** The most writes that are known of each shard, in its newest epoch. */
  readonly #known: KnownShard[];
  /** Epochs that have ended: in every shard, or as `endedIn` one. Shards that were made ready together share their epoch. */
  readonly #past = new Set<string>();
  #standing: readonly ShardLook[] = [];
  #looking: Promise<readonly ShardLook[]> | null = null;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #hasDoubt = true;

  constructor(connection: RedisConnection, names: ShardedNames, isGuarded: boolean) {
    this.#connection = connection;
    this.names = names;
    this.isGuarded = isGuarded;
    this.#serving = Array.from({ length: names.shards }, () => UNKNOWN);
    this.#known = this.#serving.map(() => ({ epoch: '', writes: 0 }));
    this.#counting = [...this.#serving];
    this.#recounting = [...this.#serving];
  }

  /** The shards at the last look; null while a refused call has cast doubt on that. */
  get standing(): readonly ShardLook[] | null {
    return this.#hasDoubt ? null : this.#standing;
  }

  /** For calls that count events: no earlier than every machine has counted again what was counted before the loss. */
  readonly counting: ShardGuard = { run: (...call) => this.#run(this.#counting, ...call) };
  /** For calls that count events again. */
  readonly recounting: ShardGuard = { run: (...call) => this.#run(this.#recounting, ...call) };
  /** For calls that decide. */
  readonly serving: ShardGuard = { run: (...call) => this.#run(this.#serving, ...call) };

  /** For a rebuild: only while a shard has just this state. */
  as(standing: ShardStanding): ShardGuard {
    const stated = this.#serving.map(() => formatStanding(standing));
    return { run: (script, shard, call) => this.#call(stated[shard] ?? UNKNOWN, script, shard, call) };
  }

  /** Adds what this machine knows from before: how many writes each shard has seen, and epochs that have ended. */
  remember(known: readonly KnownShard[], past: readonly string[]): void {
    for (const epoch of past) this.#past.add(epoch);
    for (const [shard, one] of known.entries()) {
      const own = this.#known[shard];
      if (own === undefined || (own.epoch !== '' && own.epoch !== one.epoch)) continue;
      this.#known[shard] = { epoch: one.epoch, writes: Math.max(one.writes, own.writes) };
    }
  }

  /**
   * Reads the state of every shard. What is ready is used from now on, unless it is older than what this process knows: that is lost for
   * everybody.
   */
  refresh(): Promise<readonly ShardLook[]> {
    this.#looking ??= this.#look().finally(() => (this.#looking = null));
    return this.#looking;
  }

  /** Makes shards ready that say nothing of themselves: those of a new store. */
  async found(epoch: string): Promise<void> {
    const text = formatStanding({ state: 'ready', epoch });
    await Promise.all(this.#shards().map((shard) => this.#connection.client.set(this.keyOf(shard), text, 'NX')));
    await this.refresh();
  }

  /** @throws HotStoreLostError when a shard does not have the state before */
  async move(shards: readonly number[], from: ShardStanding, to: ShardStanding): Promise<void> {
    const args = [formatStanding(from), formatStanding(to)];
    const moved = await Promise.all(
      shards.map((shard) => this.#connection.run(MOVE, { keys: [this.keyOf(shard)], args })),
    );
    await this.refresh();
    if (moved.some((one) => one !== 1)) throw new HotStoreLostError();
  }

  keyOf(shard: number): string {
    return epochKey(this.names, shard);
  }

  writesKeyOf(shard: number): string {
    return writesKey(this.names, shard);
  }

  /** Whether a read that found these at the keys of a shard may be used. */
  isServing(shard: number, standing: string | null, writes: string | null): boolean {
    return standing === (this.#serving[shard] ?? UNKNOWN) && Number(writes ?? 0) >= this.#leastOf(shard, standing);
  }

  /** The fewest writes that a shard in this state may have. */
  #leastOf(shard: number, standing: string): number {
    const known = this.#known[shard];
    return known !== undefined && standing.endsWith(`:${known.epoch}`) ? known.writes : 0;
  }

  /** A call was refused: the shards are looked at again soon. */
  recordLoss(): void {
    this.#hasDoubt = true;
    if (performance.now() - this.#lookedAtMs < LOOK_EVERY_MS) return;
    this.#lookedAtMs = performance.now();
    this.refresh().catch(() => undefined);
  }

  #shards(): number[] {
    return this.#serving.map((_one, shard) => shard);
  }

  async #run(stated: readonly string[], script: RedisScript, shard: number, call: ScriptCall): Promise<unknown> {
    return this.#call(stated[shard] ?? UNKNOWN, script, shard, call);
  }

  async #call(stated: string, script: RedisScript, shard: number, { keys, args }: ScriptCall): Promise<unknown> {
    if (!this.isGuarded) return this.#connection.run(script, { keys, args: [...args, ...UNGUARDED] });
    try {
      return await this.#connection.run(script, {
        keys: [...keys, this.writesKeyOf(shard), this.keyOf(shard)],
        args: [...args, this.#leastOf(shard, stated), stated],
      });
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith(LOST_REPLY)) throw error;
      this.recordLoss();
      throw new HotStoreLostError();
    }
  }

  async #look(): Promise<readonly ShardLook[]> {
    this.#standing = await Promise.all(this.#shards().map((shard) => this.#lookAt(shard)));
    this.#hasDoubt = false;
    for (const [shard, { state, epoch }] of this.#standing.entries()) {
      const text = formatStanding({ state, epoch });
      if (state === 'ready') this.#serving[shard] = text;
      if (isCountable(state)) this.#counting[shard] = text;
      if (isCountable(state) || state === 'recount') this.#recounting[shard] = text;
    }
    return this.#standing;
  }

  async #lookAt(shard: number): Promise<ShardLook> {
    const keys = [this.keyOf(shard), this.writesKeyOf(shard)];
    const [text = null, number = null] = await this.#connection.client.mget(keys);
    const standing = parseStanding(text);
    const writes = Number(number ?? 0);
    if (standing.state === 'lost' || text === null) return { ...standing, writes, isOld: false };
    const isPast = this.#past.has(standing.epoch) || this.#past.has(endedIn(shard, standing.epoch));
    const least = isPast ? EVERY_NUMBER : this.#leastOf(shard, text);
    if (this.isGuarded && writes < least) {
      await this.#connection.run(GIVE_UP, { keys, args: [text, least] });
      return { ...LOST, writes, isOld: true };
    }
    const before = this.#known[shard]?.epoch ?? '';
    if (before !== '' && before !== standing.epoch) this.#past.add(endedIn(shard, before));
    this.#known[shard] = { epoch: standing.epoch, writes };
    return { ...standing, writes, isOld: false };
  }
}

const EVERY_NUMBER = Number.MAX_SAFE_INTEGER;

function parseStanding(text: string | null): ShardStanding {
  const [, state, epoch] = FORM.exec(text ?? '') ?? [];
  return epoch === undefined ? LOST : { state: state as ShardState, epoch };
}
