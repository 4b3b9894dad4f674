import { Gauge, type Registry } from 'prom-client';
import { PlacardError } from '../../domain/errors.ts';
import type { AssetStore } from '../../storage/assets.ts';
import { BUNDLE_LIMITS, BundleRefused } from '../../storage/bundles/open-bundle.ts';
import { prepareBundle, type ServedBundle } from '../../storage/bundles/served-bundle.ts';

/** What one worker spends on bundles. */
export interface HeldBundleLimits {
  /** The most bytes of unpacked bundles, with those that are being opened. */
  readonly bytesMax: number;
  /** What one bundle may take while it is opened: it counts from the beginning. */
  readonly openingBytes: number;
  /** How many are opened at a time, and how many more wait for it. */
  readonly openingMax: number;
  readonly waitingMax: number;
}

/** The archive, its files, and the files as they are served. */
const OPENING_BYTES = BUNDLE_LIMITS.packedBytes + 2 * BUNDLE_LIMITS.unpackedBytes;
const OPENING_MAX = 2;

/** While bundles are opened, 64 MB of others stay. */
const HELD_BUNDLE_LIMITS: HeldBundleLimits = {
  bytesMax: 64 * 1024 * 1024 + OPENING_MAX * OPENING_BYTES,
  openingBytes: OPENING_BYTES,
  openingMax: OPENING_MAX,
  waitingMax: 32,
};

/** Who asks for a bundle. */
export interface BundleCaller {
  /** The network of the client: networks take turns. */
  readonly network: string;
  /** Whether the client has closed its connection: a bundle that nobody waits for is not opened. */
  readonly hasLeft: () => boolean;
}

/** A bundle that is opened, or waits for it, for all who asked for it meanwhile. */
interface Opening {
  readonly hash: string;
  /** The network whose share of the queue it takes: of all that asked for it, one that has few others. */
  network: string;
  readonly callers: BundleCaller[];
  readonly result: PromiseWithResolvers<ServedBundle | null>;
}

/** The bundles that were requested last, unpacked; the oldest ones go first. Anybody may ask for any bundle, so opening them is bounded. */
export class HeldBundles {
  readonly #assets: Pick<AssetStore, 'get'>;
  readonly #limits: HeldBundleLimits;
  readonly #held = new Map<string, ServedBundle>();
  readonly #openings = new Map<string, Opening>();
  #waiting: Opening[] = [];
  #heldBytes = 0;
  #opening = 0;
  #refused = 0;

  constructor(assets: Pick<AssetStore, 'get'>, limits: HeldBundleLimits = HELD_BUNDLE_LIMITS) {
    this.#assets = assets;
    this.#limits = limits;
  }

  /**
   * Null for a hash without a bundle.
   * @throws PlacardError `overloaded` while too many bundles wait to be opened, and none of them is above the share of its network
   */
  async find(hash: string, caller: BundleCaller): Promise<ServedBundle | null> {
    if (!/^[0-9a-f]{64}$/.test(hash)) return null;
    const held = this.#held.get(hash);
    if (held !== undefined) {
      this.#held.delete(hash);
      this.#held.set(hash, held);
      return held;
    }
    const known = this.#openings.get(hash);
    if (known === undefined) return await this.#enqueue(hash, caller).result.promise;
    known.callers.push(caller);
    if (this.#waitingOf(caller.network) < this.#waitingOf(known.network)) known.network = caller.network;
    return await known.result.promise;
  }

  /** Bytes of bundles that are held or opened, how many are opened and wait, and the requests that were refused since the start. */
  stats(): { readonly bytes: number; readonly opening: number; readonly waiting: number; readonly refused: number } {
    return { bytes: this.#bytes(), opening: this.#opening, waiting: this.#waiting.length, refused: this.#refused };
  }

  /** Shows them with a registry's other metrics. @throws Error when a name is taken */
  register(registry: Registry): void {
    const gauges: readonly [string, string, () => number][] = [
      ['placard_bundle_bytes', 'Memory of unpacked HTML5 bundles, in bytes.', () => this.stats().bytes],
      ['placard_bundles_waiting', 'HTML5 bundles that wait to be unpacked.', () => this.stats().waiting],
      [
        'placard_bundles_refused',
        'Requests for HTML5 bundles refused with 503 because too many waited to be unpacked, since the start.',
        () => this.stats().refused,
      ],
    ];
    for (const [name, help, read] of gauges)
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
  }

  #bytes(): number {
    return this.#heldBytes + this.#opening * this.#limits.openingBytes;
  }

  #waitingOf(network: string): number {
    return this.#waiting.filter((opening) => opening.network === network).length;
  }

  #enqueue(hash: string, caller: BundleCaller): Opening {
    if (this.#waiting.length >= this.#limits.waitingMax) this.#dropLeft();
    if (this.#waiting.length >= this.#limits.waitingMax) this.#dropAboveShare(caller.network);
    if (this.#waiting.length >= this.#limits.waitingMax) {
      this.#refused += 1;
      throw overloaded();
    }
    const opening: Opening = { hash, network: caller.network, callers: [caller], result: Promise.withResolvers() };
    this.#openings.set(hash, opening);
    this.#waiting.push(opening);
    this.#startNext();
    return opening;
  }

  /** Takes the bundles that nobody waits for any more out of the queue. */
  #dropLeft(): void {
    this.#waiting = this.#waiting.filter((opening) => {
      if (!opening.callers.every(({ hasLeft }) => hasLeft())) return true;
      this.#openings.delete(opening.hash);
      opening.result.reject(overloaded());
      return false;
    });
  }

  /** Takes the last bundle of the network with the most out of the queue, where it has more than the other one will have. */
  #dropAboveShare(network: string): void {
    const counts = new Map<string, number>();
    for (const opening of this.#waiting) counts.set(opening.network, (counts.get(opening.network) ?? 0) + 1);
    const [busiest] = [...counts].toSorted(([, one], [, other]) => other - one);
    if (busiest === undefined || busiest[1] <= (counts.get(network) ?? 0) + 1) return;
    const at = this.#waiting.findLastIndex((opening) => opening.network === busiest[0]);
    for (const { hash, callers, result } of this.#waiting.splice(at, 1)) {
      this.#openings.delete(hash);
      this.#refused += callers.length;
      result.reject(overloaded());
    }
  }

  #startNext(): void {
    if (this.#opening >= this.#limits.openingMax) return;
    this.#dropLeft();
    const next = this.#waiting.shift();
    if (next === undefined) return;
    // The network's other bundles go behind those of all others.
    const isOfNext = ({ network }: Opening): boolean => network === next.network;
    this.#waiting = [...this.#waiting.filter((one) => !isOfNext(one)), ...this.#waiting.filter(isOfNext)];
    this.#opening += 1;
    this.#dropOldest();
    void this.#run(next);
  }

  async #run({ hash, result }: Opening): Promise<void> {
    try {
      const bundle = await this.#open(hash);
      if (bundle !== null) {
        this.#held.set(hash, bundle);
        this.#heldBytes += bundle.bytes;
      }
      result.resolve(bundle);
    } catch (error) {
      result.reject(error);
    }
    this.#openings.delete(hash);
    this.#opening -= 1;
    this.#dropOldest();
    this.#startNext();
  }

  async #open(hash: string): Promise<ServedBundle | null> {
    const found = await this.#assets.get(`${hash}.zip`);
    if (found === null) return null;
    try {
      return await prepareBundle(found.bytes);
    } catch (error) {
      if (error instanceof BundleRefused) return null;
      throw error;
    }
  }

  #dropOldest(): void {
    for (const [hash, { bytes }] of this.#held) {
      if (this.#bytes() <= this.#limits.bytesMax) return;
      this.#held.delete(hash);
      this.#heldBytes -= bytes;
    }
  }
}

function overloaded(): PlacardError {
  return new PlacardError('overloaded', 'Too many HTML5 bundles wait to be unpacked; send it again in a moment.', {
    details: { retryAfterSeconds: 1 },
  });
}
