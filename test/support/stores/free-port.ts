import { pickKeptPort } from '../../../src/runtime/supervisor/free-port.ts';

/** A port of 127.0.0.1 where nothing listens, and that no outgoing connection takes before a program listens on it. */
export function freePort(): Promise<number> {
  return pickKeptPort('127.0.0.1', 'the port of a test');
}
