import ipaddr from 'ipaddr.js';
import { readFileSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { plainAddress } from './client-address.ts';

/** Requests of one connection that may wait for their responses at a time: browsers and load balancers send one. */
export const PIPELINED_MAX = 100;

/** The bounds on connections of one server. */
export interface ConnectionBounds {
  readonly connectionsMax: number;
  /** Connections of one IPv4 address, or of one IPv6 network of 64 bits: one customer has all of that. */
  readonly connectionsPerAddressMax: number;
  /** Addresses that are not counted, such as trusted proxies. */
  readonly isExempt: (address: string) => boolean;
}

/** Connections that were closed as soon as they were accepted, since the start, by the bound that they met. */
export interface RefusedConnections {
  address: number;
  total: number;
}

/** Files that a process needs beside its connections: spool, ledger, stores, certificates. */
const FILES_RESERVED = 256;

/** How many connections leave enough open files for everything else. Of a low limit, half. */
export function connectionsAllowed(openFilesMax: number): number {
  return Math.max(1, openFilesMax - Math.min(FILES_RESERVED, Math.floor(openFilesMax / 2)));
}

/** The limit on open files of this process (RLIMIT_NOFILE); infinite where it cannot be read. */
function readOpenFilesMax(): number {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return found === null ? Number.POSITIVE_INFINITY : Number(found[1]);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Closes connections beyond the bounds as soon as they are accepted, before TLS and before a byte of them is read. Call it when all other
 * listeners for connections are in place.
 */
export function boundConnections(server: Server, bounds: ConnectionBounds): RefusedConnections {
  const refused: RefusedConnections = { address: 0, total: 0 };
  const open = new Map<string, number>();
  server.maxConnections = Math.min(bounds.connectionsMax, connectionsAllowed(readOpenFilesMax()));
  server.on('drop', () => {
    refused.total += 1;
  });
  server.prependListener('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (address === '' || bounds.isExempt(address)) return;
    const peer = peerOf(address);
    const count = open.get(peer) ?? 0;
    if (count >= bounds.connectionsPerAddressMax) {
      refused.address += 1;
      socket.destroy();
      return;
    }
    open.set(peer, count + 1);
    socket.once('close', () => {
      const left = (open.get(peer) ?? 1) - 1;
      if (left === 0) open.delete(peer);
      else open.set(peer, left);
    });
  });
  return refused;
}

/** An IPv4 address, or the /64 network of an IPv6 one: what one client has. */
export function peerOf(address: string): string {
  if (!address.includes(':')) return address;
  // A zone (fe80::1%eth0) names an interface of this machine.
  const [bare = ''] = address.split('%', 1);
  return ipaddr.isValid(bare) ? Buffer.from(ipaddr.parse(bare).toByteArray().slice(0, 8)).toString('hex') : address;
}

const OPEN_REQUESTS = Symbol('open requests');
type CountedSocket = Socket & { [OPEN_REQUESTS]?: number };

/**
 * Counts a request of a connection that begins. False, and the connection is closed, when more than `PIPELINED_MAX` of its requests
 * have no response yet: who sends on without reading must not fill the memory.
 */
export function beginRequest(socket: CountedSocket): boolean {
  const count = (socket[OPEN_REQUESTS] ?? 0) + 1;
  socket[OPEN_REQUESTS] = count;
  if (count <= PIPELINED_MAX) return true;
  socket.destroy();
  return false;
}

/** Counts a request that has its response. */
export function endRequest(socket: CountedSocket): void {
  socket[OPEN_REQUESTS] = (socket[OPEN_REQUESTS] ?? 1) - 1;
}
