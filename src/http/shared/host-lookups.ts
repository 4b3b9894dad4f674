import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Bounds of the look-ups of names that tenants chose. */
export interface LookupLimits {
  /** Name servers as `address` or `address:port`; undefined: those of this machine. */
  readonly servers?: readonly string[];
  /** Time of a look-up with its wait, milliseconds. */
  readonly ms: number;
  /** How long a name server may be silent before it is asked once more, milliseconds. */
  readonly silenceMs: number;
  /** Look-ups of one network that run at a time; further ones wait. */
  readonly ofOwnerMax: number;
  /** Look-ups of one network that run or wait. */
  readonly waitingMax: number;
}

const LIMITS: LookupLimits = { ms: 5_000, silenceMs: 2_000, ofOwnerMax: 4, waitingMax: 200 };

interface Owner {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Resolves host names that tenants chose, by DNS alone: names of the hosts file are not for tenants. Every look-up has sockets of its own and never uses
 * the threads that all of the process shares (as `dns.lookup` does), so that a silent name server of one network delays no other network.
 */
export class HostLookups {
  readonly #limits: LookupLimits;
  readonly #owners = new Map<string, Owner>();

  constructor(limits: Partial<LookupLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Every address of a host; none when it has none, or its name servers are silent. @param owner whose limits count, a network */
  async find(host: string, owner: string): Promise<LookupAddress[]> {
    if (host === 'localhost' || host.endsWith('.localhost')) return [{ address: '127.0.0.1', family: 4 }];
    const resolver = new Resolver({ timeout: this.#limits.silenceMs, tries: 2 });
    if (this.#limits.servers !== undefined) resolver.setServers(this.#limits.servers);
    const stop = new AbortController();
    const late = sleep(this.#limits.ms, [], { signal: stop.signal }).catch(() => []);
    try {
      return await Promise.race([this.#inTurn(owner, stop.signal, () => resolve(resolver, host)), late]);
    } finally {
      stop.abort();
      resolver.cancel();
    }
  }

  async #inTurn(owner: string, signal: AbortSignal, look: () => Promise<LookupAddress[]>): Promise<LookupAddress[]> {
    const own = this.#owners.get(owner) ?? { running: 0, waiting: [] };
    this.#owners.set(owner, own);
    if (own.running + own.waiting.length >= this.#limits.waitingMax) return [];
    if (own.running >= this.#limits.ofOwnerMax) await new Promise<void>((begin) => own.waiting.push(begin));
    else own.running += 1;
    try {
      return signal.aborted ? [] : await look();
    } finally {
      // The next look-up that waits begins.
      const next = own.waiting.shift();
      if (next !== undefined) next();
      else {
        own.running -= 1;
        if (own.running === 0) this.#owners.delete(owner);
      }
    }
  }
}

/** IPv4 addresses first. */
async function resolve(resolver: Resolver, host: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.all([
    resolver.resolve4(host).catch(() => []),
    resolver.resolve6(host).catch(() => []),
  ]);
  return [
    ...four.map((address) => ({ address, family: 4 as const })),
    ...six.map((address) => ({ address, family: 6 as const })),
  ];
}
