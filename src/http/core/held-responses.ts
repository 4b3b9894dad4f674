import { type IncomingMessage, ServerResponse } from 'node:http';
import { BytesInFlight } from '../shared/bytes-in-flight.ts';

/** Smaller bodies are not counted: the kernel takes them at once. */
export const COUNTED_FROM_BYTES = 64 * 1024;

/** Bodies that are written and not yet sent, of all routes of the process and of the SQL endpoint's rows. */
const held = new BytesInFlight({ ofOwnerMax: 64 * 1024 ** 2, totalMax: 256 * 1024 ** 2 });
const owners = new WeakMap<IncomingMessage, string>();
const counted = new WeakSet<ServerResponse>();

/** Bytes that are held just now. */
export const heldBytes = (): number => held.total;

/** Says whose network gets the response to a request. Without it, the bytes count for the client's address. */
export function ownResponse(request: IncomingMessage, networkId: string): void {
  owners.set(request, networkId);
}

/** The network of {@link ownResponse}; null: none is known. */
export function ownerOf(request: IncomingMessage): string | null {
  return owners.get(request) ?? null;
}

/**
 * Counts bytes of a network until the returned function is called. A network that holds nothing else may hold any number of them.
 * @param isCertain counts over a limit, too: the work that they tell of is done
 * @throws PlacardError `overloaded` over a limit
 */
export function holdBytes(owner: string, bytes: number, isCertain = false): () => void {
  return held.reserve(owner, bytes, isCertain || held.ofOwner(owner) === 0);
}

/**
 * Counts the body of a response until its connection has taken it or is closed. The second call for a response counts nothing, and neither does one
 * for a request that this process made itself: the response to its caller counts.
 * @throws PlacardError `overloaded` over a limit
 */
export function holdResponse(response: ServerResponse, owner: string, bytes: number, isCertain = false): void {
  if (!(response instanceof ServerResponse) || response.socket?.remoteAddress === undefined) return;
  if (bytes < COUNTED_FROM_BYTES || counted.has(response)) return;
  const release = holdBytes(owner, bytes, isCertain);
  counted.add(response);
  if (response.destroyed) release();
  else response.once('close', release);
}

/** @throws PlacardError `overloaded` while a network holds as much as it may: before work whose response cannot be refused */
export function checkHeld(owner: string): void {
  held.reserve(owner, 1, held.ofOwner(owner) === 0)();
}
