import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import type { Duplex } from 'node:stream';
import type { Log } from '../domain/log/log.ts';
import { WorkSlices } from '../domain/time/work-slices.ts';
import { isLoopback, plainAddress } from '../http/shared/client-address.ts';
import { peerOf } from '../http/shared/connection-bounds.ts';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '../http/shared/limits.ts';
import { tlsOptions } from '../http/shared/listener.ts';
import { endUnreadResponses } from '../http/shared/unread-responses.ts';
import { Catalogs } from './catalog/catalogs.ts';
import { ConnectionCounts } from './connection-counts.ts';
import { type CallReports, callerOf, type SqlCaller } from './session/report-api.ts';
import { MessageWriter } from './session/message-writer.ts';
import type { Session } from './session/session.ts';
import { openSession } from './open-session.ts';
import { PENDING_MAX, PendingSignIns } from './pending-sign-ins.ts';
import { ByteInput, InputEnded } from './wire/byte-input.ts';
import { readStartParameters, readText } from './wire/client-messages.ts';
import { errorResponse, negotiateVersion, passwordRequest } from './wire/server-messages.ts';
import { SQLSTATE, SqlError } from './wire/sql-error.ts';

/** Dependencies of the SQL endpoint. */
export interface SqlEndpointDeps {
  readonly bind: string;
  readonly port: number;
  /** PEM; null: the endpoint speaks no TLS. */
  readonly tls: { readonly key: string; readonly cert: string } | null;
  /** Passwords are also taken from other machines without TLS. */
  readonly isPlainAllowed: boolean;
  /** Sessions; connections that have not signed in are bounded apart. */
  readonly connectionsMax: number;
  readonly connectionsPerNetworkMax: number;
  readonly callReports: CallReports;
  /** Whether the credentials of a caller are still valid. Asked before each statement. */
  readonly isCallerKnown: (caller: SqlCaller) => Promise<boolean>;
  readonly log: Log;
  readonly nowMs: () => number;
  /** How long a client may read nothing while rows wait for it, and how often that is looked at, milliseconds. Default: as at other addresses. */
  readonly unread?: Pick<HttpLimits, 'unreadTimeoutMs' | 'timeoutCheckIntervalMs'>;
  /** How long a client may send nothing, milliseconds. Default: 30 minutes. */
  readonly idleMs?: number;
}

/** The SQL endpoint while it runs. */
export interface SqlEndpoint {
  readonly port: number;
  /** Sessions that are open. */
  sessions(): number;
  /** The certificate of connections from now on. */
  renewTls(tls: { readonly key: string; readonly cert: string }): void;
  stop(): Promise<void>;
}

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;
const START_BYTES_MAX = 10_000;
/** From the connection to the password. */
const START_MS = 15_000;
const IDLE_MS = 30 * 60_000;

interface OpenSession {
  readonly session: Session;
  readonly secret: Buffer;
}

/** Listens for clients of PostgreSQL's wire protocol, version 3. Rejects when the port cannot be used. */
export async function startSqlEndpoint(deps: SqlEndpointDeps): Promise<SqlEndpoint> {
  const endpoint = new Connections(deps);
  const server = createServer({ keepAlive: true, keepAliveInitialDelay: 60_000, noDelay: true });
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    void endpoint.serve(socket);
  });
  endUnreadResponses(server, 'connection', { ...DEFAULT_HTTP_LIMITS, ...deps.unread });
  server.maxConnections = deps.connectionsMax + PENDING_MAX + 1;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(deps.port, deps.bind, resolve);
  });
  endpoint.catalogs.prepare();
  return {
    port: (server.address() as AddressInfo).port,
    sessions: () => endpoint.sessions.size,
    renewTls: (tls) => endpoint.useCertificate(tls),
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await endpoint.catalogs.stop();
    },
  };
}

class Connections {
  readonly sessions = new Map<number, OpenSession>();
  readonly catalogs: Catalogs;
  readonly #slices = new WorkSlices();
  readonly #deps: SqlEndpointDeps;
  readonly #pending = new PendingSignIns();
  readonly #ofDatabase: ConnectionCounts;
  readonly #ofAddress: ConnectionCounts;
  readonly #ofAll: ConnectionCounts;
  #secure: SecureContext | null;

  constructor(deps: SqlEndpointDeps) {
    this.#deps = deps;
    this.catalogs = new Catalogs(deps.nowMs);
    this.#ofDatabase = new ConnectionCounts(deps.connectionsPerNetworkMax, 'The database');
    // One address leaves the other half to others.
    this.#ofAddress = new ConnectionCounts(Math.ceil(deps.connectionsMax / 2), 'The address');
    this.#ofAll = new ConnectionCounts(deps.connectionsMax, 'The server');
    this.#secure = deps.tls === null ? null : createSecureContext(tlsOptions(deps.tls));
  }

  useCertificate(tls: { readonly key: string; readonly cert: string }): void {
    this.#secure = createSecureContext(tlsOptions(tls));
  }

  /** One connection, from its first byte to its end. Never rejects. */
  async serve(socket: Socket): Promise<void> {
    let stream: Duplex = socket;
    this.#pending.add(socket);
    const onError = (): void => undefined;
    socket.on('error', onError);
    const remember = (next: Duplex): void => {
      stream = next;
      next.on('error', onError);
    };
    try {
      await this.#serveStream(socket, remember);
    } catch (error) {
      if (!(error instanceof InputEnded) || error.reason === 'idle') this.#sayGoodbye(stream, error);
    } finally {
      this.#pending.add(socket);
      stream.end();
      // What is still on its way is thrown out: a connection that closes over it would lose our last message.
      stream.removeAllListeners('readable').resume();
      // A client that does not close its side keeps nothing of ours.
      setTimeout(() => socket.destroy(), 1_000).unref();
    }
  }

  #sayGoodbye(stream: Duplex, error: unknown): void {
    const isOurs = !(error instanceof SqlError) && !(error instanceof InputEnded);
    if (isOurs) this.#deps.log.event('sql.session_failed', { err: error });
    const told =
      error instanceof SqlError
        ? error
        : new SqlError(
            isOurs ? SQLSTATE.internal : SQLSTATE.adminShutdown,
            isOurs ? 'The session failed.' : 'The session was idle for too long.',
          );
    if (stream.writable) stream.write(errorResponse(told, 'FATAL', null));
  }

  async #serveStream(socket: Socket, remember: (stream: Duplex) => void): Promise<void> {
    const started = await this.#start(socket, remember);
    if (started === null) return;
    const { stream, input, body, isEncrypted } = started;
    const parameters = readStartParameters(body.subarray(4));
    const remoteAddress = plainAddress(socket.remoteAddress ?? '');
    this.#checkTransport(isEncrypted, remoteAddress);
    const user = parameters.get('user') ?? '';
    const database = parameters.get('database') ?? user;
    const writer = new MessageWriter(stream);
    const minor = body.readInt32BE(0) & 0xffff;
    const options = [...parameters.keys()].filter((name) => name.startsWith('_pq_.'));
    if (minor > 0 || options.length > 0) writer.put(negotiateVersion(options));
    writer.put(passwordRequest());
    await writer.flush();
    const reply = await input.readMessage(START_MS, START_BYTES_MAX);
    if (reply.type !== 'p') throw new SqlError(SQLSTATE.protocolViolation, 'A password message was expected.');
    const caller = callerOf({ user, database, password: readText(reply.body) }, remoteAddress);
    const pid = this.#newPid();
    const secret = randomBytes(4);
    const gone = new AbortController();
    socket.once('close', () => {
      gone.abort();
      this.sessions.get(pid)?.session.cancel();
    });
    const counted: (() => void)[] = [];
    try {
      const { idleMs = IDLE_MS } = this.#deps;
      const opened = { caller, user, parameters, input, writer, pid, secret, gone: gone.signal };
      const session = await openSession(
        { ...this.#deps, idleMs, catalogs: this.catalogs, slices: this.#slices },
        { ...opened, admit: () => this.#admit(caller, socket, counted) },
      );
      this.sessions.set(pid, { session, secret });
      await session.serve();
    } catch (error) {
      throw gone.signal.aborted ? new InputEnded('closed') : error;
    } finally {
      this.sessions.delete(pid);
      for (const release of counted) release();
    }
  }

  /** Counts a session whose password is right. @throws SqlError `53300` */
  #admit({ database, remoteAddress }: SqlCaller, socket: Socket, counted: (() => void)[]): void {
    counted.push(this.#ofDatabase.add(database));
    if (!isLoopback(remoteAddress)) counted.push(this.#ofAddress.add(peerOf(remoteAddress)));
    counted.push(this.#ofAll.add(''));
    this.#pending.remove(socket);
  }

  #newPid(): number {
    for (;;) {
      const pid = randomInt(1, 2 ** 31 - 1);
      if (!this.sessions.has(pid)) return pid;
    }
  }

  /** Requests for encryption and to cancel come first. Null: the connection has done its work. */
  async #start(
    socket: Socket,
    remember: (stream: Duplex) => void,
  ): Promise<{ stream: Duplex; input: ByteInput; body: Buffer; isEncrypted: boolean } | null> {
    let stream: Duplex = socket;
    let input = new ByteInput(stream);
    let isEncrypted = false;
    for (let asked = 0; asked < 3; asked += 1) {
      const body = await input.readStart(START_MS, START_BYTES_MAX);
      const code = body.readInt32BE(0);
      if (code === CANCEL_REQUEST) {
        this.#cancel(body);
        return null;
      }
      if (code === SSL_REQUEST && this.#secure !== null && !isEncrypted) {
        // Bytes that came before the handshake would be read as if they had been encrypted.
        if (input.hasMore) throw new SqlError(SQLSTATE.protocolViolation, 'Data came before the TLS handshake.');
        input.release();
        socket.write('S');
        stream = await encrypt(socket, this.#secure);
        remember(stream);
        input = new ByteInput(stream);
        isEncrypted = true;
      } else if (code === SSL_REQUEST || code === GSS_REQUEST) {
        stream.write('N');
      } else if (code >>> 16 === 3) {
        return { stream, input, body, isEncrypted };
      } else {
        throw new SqlError(SQLSTATE.protocolViolation, 'Only version 3 of the protocol is supported.');
      }
    }
    throw new SqlError(SQLSTATE.protocolViolation, 'A startup message was expected.');
  }

  #cancel(body: Buffer): void {
    if (body.length !== 12) return;
    const found = this.sessions.get(body.readInt32BE(4));
    if (found !== undefined && timingSafeEqual(found.secret, body.subarray(8, 12))) found.session.cancel();
  }

  /** @throws SqlError where a password would be readable on its way */
  #checkTransport(isEncrypted: boolean, remoteAddress: string): void {
    if (isEncrypted || this.#deps.isPlainAllowed || isLoopback(remoteAddress)) return;
    throw new SqlError(SQLSTATE.invalidAuthorization, 'Passwords are taken over TLS only.', {
      hint: 'Connect with sslmode=require, or better verify-full.',
    });
  }
}

function encrypt(socket: Socket, secureContext: SecureContext): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secure = new TLSSocket(socket, { isServer: true, secureContext });
    const timer = setTimeout(() => secure.destroy(new InputEnded('closed')), START_MS);
    secure.once('secure', () => {
      clearTimeout(timer);
      resolve(secure);
    });
    secure.once('close', () => {
      clearTimeout(timer);
      reject(new InputEnded('closed'));
    });
    secure.on('error', () => reject(new InputEnded('closed')));
  });
}
