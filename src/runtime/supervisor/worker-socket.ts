import { BoundSocket } from 'node:net';
import type { Endpoints } from './part.ts';

/**
 * The socket of one delivery worker, which listens on the port of all. The supervisor holds it, so that connections wait in its queue
 * while a process is replaced, and none is reset when a process closes its own descriptor.
 */
export class WorkerSocket {
  readonly #endpoints: Pick<Endpoints, 'bind' | 'deliveryPort'>;
  #bound: BoundSocket | null = null;

  constructor(endpoints: Pick<Endpoints, 'bind' | 'deliveryPort'>) {
    this.#endpoints = endpoints;
  }

  /** Binds it unless it is bound. Returns its descriptor, which stays the supervisor's. @throws Error of the system when the address is not free */
  open(): number {
    const { bind, deliveryPort } = this.#endpoints;
    this.#bound ??= new BoundSocket({ host: bind, port: deliveryPort, reusePort: true });
    return this.#bound.fd();
  }

  /** When no process has it any more, connections in its queue are reset, and other workers get the next ones. */
  close(): void {
    this.#bound?.close();
    this.#bound = null;
  }
}
