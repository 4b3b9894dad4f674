import type { Socket } from 'node:net';
import { plainAddress } from '../http/shared/client-address.ts';
import { peerOf } from '../http/shared/connection-bounds.ts';

/** Connections without a session, which has given its password. */
export const PENDING_MAX = 256;
export const PENDING_PER_ADDRESS_MAX = 64;

/**
 * Bounds connections that have no session: those that have not signed in, and those that end. Beyond a bound, a new connection ends
 * the oldest connection of its address, or of the address with the most, so that silent connections never keep others out.
 */
export class PendingSignIns {
  readonly #open = new Map<string, Set<Socket>>();
  #count = 0;

  /** Counts a connection until it closes, or is removed. */
  add(socket: Socket): void {
    const peer = peerOf(plainAddress(socket.remoteAddress ?? ''));
    const own = this.#open.get(peer) ?? new Set();
    if (socket.destroyed || own.has(socket)) return;
    if (own.size >= PENDING_PER_ADDRESS_MAX) this.#endOldest(peer, own);
    else if (this.#count >= PENDING_MAX) this.#endOldest(...this.#largest());
    own.add(socket);
    this.#open.set(peer, own);
    this.#count += 1;
    socket.once('close', () => this.remove(socket));
  }

  /** The connection has a session, or is closed. */
  remove(socket: Socket): void {
    for (const [peer, own] of this.#open) this.#remove(peer, own, socket);
  }

  #remove(peer: string, own: Set<Socket>, socket: Socket): void {
    if (!own.delete(socket)) return;
    this.#count -= 1;
    if (own.size === 0) this.#open.delete(peer);
  }

  #endOldest(peer: string, own: Set<Socket>): void {
    const [oldest] = own;
    if (oldest === undefined) return;
    this.#remove(peer, own, oldest);
    oldest.destroy();
  }

  #largest(): [peer: string, own: Set<Socket>] {
    return [...this.#open].reduce((most, one) => (one[1].size > most[1].size ? one : most));
  }
}
