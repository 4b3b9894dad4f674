import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { checkNodeToken } from '../../../cluster/node-tokens.sql.ts';
import { PlacardError } from '../../../domain/errors.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import { NODE_HEADER } from './core-calls.ts';

const WINDOW_MS = 60_000;
/** Requests of one address without a valid token in a minute, and addresses that are remembered. */
const REFUSALS_MAX = 30;
const SOURCES_MAX = 10_000;
/** Calls of one node in a second: a node of 64 workers that follows a burst of changes needs some hundreds. */
const CALLS_PER_SECOND = 1_000;
/** Audit entries of one node in a minute: what all workers of a node sum up while it is attacked. */
const ENTRIES_PER_MINUTE = 5_000;
const NODE_ID = /^[0-9a-z]{8,20}$/;

/** Counts in windows of time, of a bounded number of names. */
class Windows {
  readonly #windowMs: number;
  #startedMs = 0;
  #counts = new Map<string, number>();

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  count(name: string, nowMs: number, by = 1): number {
    const before = this.read(name, nowMs);
    const count = before + by;
    if (before > 0 || this.#counts.size < SOURCES_MAX) this.#counts.set(name, count);
    return count;
  }

  read(name: string, nowMs: number): number {
    if (nowMs - this.#startedMs >= this.#windowMs || nowMs < this.#startedMs) {
      this.#startedMs = nowMs;
      this.#counts = new Map();
    }
    return this.#counts.get(name) ?? 0;
  }
}

/** Lets nodes with a valid token use a core, and bounds how often they and others try. */
export class NodeGuard {
  readonly #sql: Kysely<Database>;
  readonly #nowMs: () => number;
  readonly #refusals = new Windows(WINDOW_MS);
  readonly #calls = new Windows(1_000);
  readonly #entries = new Windows(WINDOW_MS);
  /** The tokens that were valid last, by node: as many as there are nodes. */
  readonly #known = new Map<string, string>();

  constructor(sql: Kysely<Database>, nowMs: () => number) {
    this.#sql = sql;
    this.#nowMs = nowMs;
  }

  /**
   * The id of the node that a request comes from.
   * @throws PlacardError authentication_required, invalid_credentials, insufficient_permissions, rate_limit_exceeded
   */
  async admit(request: FastifyRequest): Promise<string> {
    const nodeId = nodeIdOf(request);
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    // Nodes may share the address of a balancer with callers that are refused.
    if (nodeId === null || this.#known.get(nodeId) !== token) this.requireCalm(request);
    if (nodeId === null || token === undefined)
      throw this.refuse(
        request,
        new PlacardError('authentication_required', `Send a node token, and the id of its node as ${NODE_HEADER}.`),
      );
    if (this.#calls.count(nodeId, this.#nowMs()) > CALLS_PER_SECOND) throw tooMany(1);
    const standing = await checkNodeToken(this.#sql, nodeId, token);
    if (standing === 'valid') {
      this.#known.set(nodeId, token);
      return nodeId;
    }
    this.#known.delete(nodeId);
    throw this.refuse(
      request,
      standing === 'revoked'
        ? new PlacardError('insufficient_permissions', 'The token of this node was revoked.')
        : new PlacardError('invalid_credentials', 'This is not the token of this node.'),
    );
  }

  /** @throws PlacardError rate_limit_exceeded for a node that writes more audit entries than a real one: it sends them again later */
  admitEntries(nodeId: string, count: number): void {
    const nowMs = this.#nowMs();
    if (this.#entries.read(nodeId, nowMs) + count > ENTRIES_PER_MINUTE) throw tooMany(60);
    this.#entries.count(nodeId, nowMs, count);
  }

  /** Whether a node that was admitted still may stay. */
  async isStillValid(request: FastifyRequest): Promise<boolean> {
    const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
    return (await checkNodeToken(this.#sql, nodeIdOf(request) ?? '', token)) === 'valid';
  }

  /** @throws PlacardError rate_limit_exceeded for an address that was refused too often */
  requireCalm(request: FastifyRequest): void {
    if (this.#refusals.read(request.clientAddress, this.#nowMs()) >= REFUSALS_MAX) throw tooMany(60);
  }

  /** Counts a refusal; returns the error. */
  refuse(request: FastifyRequest, error: PlacardError): PlacardError {
    this.#refusals.count(request.clientAddress, this.#nowMs());
    return error;
  }
}

function nodeIdOf(request: FastifyRequest): string | null {
  const text = request.headers[NODE_HEADER];
  return typeof text === 'string' && NODE_ID.test(text) ? text : null;
}

function tooMany(retryAfterSeconds: number): PlacardError {
  return new PlacardError('rate_limit_exceeded', 'Too many requests of this node or address.', {
    details: { retryAfterSeconds },
  });
}
