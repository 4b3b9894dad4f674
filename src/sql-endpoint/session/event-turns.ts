import { setImmediate } from 'node:timers/promises';

/** Messages that one session handles in one turn of the event loop: a client sends about five for one statement. */
export const MESSAGES_PER_TURN = 8;
/** How long one session may use a turn, milliseconds. */
const TURN_MS = 5;

/**
 * Shares the event loop with other connections. Messages that have come already are read without waiting for the network, so a session would otherwise
 * handle all of them first.
 */
export class EventTurns {
  #messages = 0;
  #startedMs = performance.now();

  /** Call it after each message. */
  async yield(): Promise<void> {
    this.#messages += 1;
    if (this.#messages < MESSAGES_PER_TURN && performance.now() - this.#startedMs < TURN_MS) return;
    await setImmediate();
    this.#messages = 0;
    this.#startedMs = performance.now();
  }
}
