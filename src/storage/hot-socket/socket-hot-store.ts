import { type EventLine, type LineBatch, stepsOf } from '../hot/event-counts.ts';
import type {
  ApplyOnce,
  ApplyOnceResult,
  CounterIncrement,
  HotStore,
  NumberedAddition,
  SweepStep,
} from '../hot/hot-store.ts';
import type { RestResult, ServedCall } from './calls.ts';
import { packArguments, unpackResult } from './sent-values.ts';
import { HotOwnerUnavailableError, type OwnerAddress, OwnerConnection } from './owner-connection.ts';

/** The hot store of this machine, which another process has open. While that process is down, callers go on as while a Redis is down. */
export function openSocketHotStore(address: OwnerAddress): HotStore {
  return new SocketHotStore(new OwnerConnection(address));
}

class SocketHotStore implements HotStore {
  readonly #owner: OwnerConnection;

  constructor(owner: OwnerConnection) {
    this.#owner = owner;
  }

  applyOnce(op: ApplyOnce): Promise<ApplyOnceResult> {
    return this.#call('applyOnce', op);
  }

  applyOnceAll(ops: readonly ApplyOnce[]): Promise<readonly ApplyOnceResult[]> {
    return this.#call('applyOnceAll', ops);
  }

  get(key: string): Promise<string | null> {
    return this.#call('get', key);
  }

  readValues(keys: readonly string[]): Promise<readonly (string | null)[]> {
    return this.#call('readValues', keys);
  }

  set(key: string, value: string, ttlMs: number): Promise<void> {
    return this.#call('set', key, value, ttlMs);
  }

  delete(key: string): Promise<void> {
    return this.#call('delete', key);
  }

  deletePrefixes(prefixes: readonly string[]): Promise<readonly number[]> {
    return this.#call('deletePrefixes', prefixes);
  }

  readCounters(keys: readonly string[]): Promise<readonly bigint[]> {
    return this.#call('readCounters', keys);
  }

  readCountersNow(): null {
    return null;
  }

  addToCounters(increments: readonly CounterIncrement[]): Promise<readonly bigint[]> {
    return this.#call('addToCounters', increments);
  }

  addNumbered(addition: NumberedAddition): Promise<readonly bigint[] | null> {
    return this.#call('addNumbered', addition);
  }

  readList(key: string): Promise<readonly string[]> {
    return this.#call('readList', key);
  }

  readListNow(): null {
    return null;
  }

  countLines(batch: LineBatch): Promise<readonly boolean[]> {
    return this.#call('countLines', batch);
  }

  async countRest(
    { file, to }: { readonly file: string; readonly to: number },
    readLines: (from: number) => readonly EventLine[],
  ): Promise<ReadonlySet<number>> {
    const first = await this.#call<RestResult>('countRest', { file, to }, false);
    if ('duplicates' in first) return new Set(first.duplicates);
    const { from } = first;
    for (const step of stepsOf({ file, from, to, lines: readLines(from) })) await this.countLines(step);
    const last = await this.#call<RestResult>('countRest', { file, to }, true);
    if ('duplicates' in last) return new Set(last.duplicates);
    throw new Error('The owner of the hot store asks for lines that it has counted');
  }

  forgetFile(file: string): Promise<void> {
    return this.#call('forgetFile', file);
  }

  isCounted(key: string): Promise<boolean> {
    return this.#call('isCounted', key);
  }

  /** The owner sweeps. */
  async sweep(): Promise<SweepStep> {
    return { seen: 0, entries: 0 };
  }

  flushed(): Promise<void> {
    return this.#call('flushed');
  }

  async ping(): Promise<void> {
    if (!this.#owner.isConnected) throw new HotOwnerUnavailableError('The owner of the hot store is down');
    await this.#call('ping');
  }

  close(): Promise<void> {
    return this.#owner.close();
  }

  async #call<T>(name: ServedCall, ...args: readonly unknown[]): Promise<T> {
    return unpackResult(name, await this.#owner.call(name, packArguments(name, args))) as T;
  }
}
