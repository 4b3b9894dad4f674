import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { PlacardError } from '../../domain/errors.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { holdBack } from '../../storage/sql/together.ts';

interface Status {
  readonly status: string;
}

/**
 * Whether the network of a request may change something: one that is suspended may not. The check of a request that changes something by
 * {@link changeAll} alone can be deferred: then it goes out with the first statement of its transaction, instead of in a round trip of its own.
 */
export class NetworkStanding {
  #isDue = false;
  #isSuspended = false;

  /** The next transaction makes the check; {@link check} makes it up where none does. */
  defer(): void {
    this.#isDue = true;
  }

  /** Adds a deferred check to the first statement of a transaction, which fails when the network is suspended: the transaction changes nothing then. */
  async checkIn(transaction: Transaction<Database>, networkId: string): Promise<void> {
    if (this.#isSuspended) throw new PlacardError('network_suspended');
    if (this.#isDue) await holdBack(transaction, statusOf(networkId), (rows) => this.#read(rows as readonly Status[]));
  }

  /** Makes a check that is due, now. @throws PlacardError `network_suspended`, also when a transaction has found that */
  async check(db: Kysely<Database>, networkId: string): Promise<void> {
    if (this.#isSuspended) throw new PlacardError('network_suspended');
    if (this.#isDue) this.#read((await statusOf(networkId).execute(db)).rows);
  }

  #read([network]: readonly Status[]): void {
    this.#isDue = false;
    this.#isSuspended = network?.status === 'SUSPENDED';
    if (this.#isSuspended) throw new PlacardError('network_suspended');
  }
}

function statusOf(networkId: string): RawBuilder<Status> {
  return sql<Status>`SELECT status FROM networks WHERE id = ${networkId}::bigint`;
}

/** The names of mutations that change something by {@link changeAll} alone. */
const deferring = new Set<string>();

/** Lets requests that call only mutations of this kind defer the check. */
export function deferStanding(mutation: string): void {
  deferring.add(mutation);
}

/** Whether a request that calls these mutations may defer the check. */
export function canDeferStanding(mutations: ReadonlySet<string>): boolean {
  return mutations.isSubsetOf(deferring);
}
