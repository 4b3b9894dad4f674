import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from '../../domain/log/log.ts';
import { readOrCreate } from '../secrets.ts';
import {
  canReach,
  choosePostgresDir,
  findPostgresAccount,
  makeSystemDir,
  type PostgresAccount,
} from './postgres-account.ts';
import { copyPostgresBinaries, findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { endLeftoverPostmaster, endPostmaster, readPostmasterFile, recordOwner } from './postmaster.ts';

/** A PostgreSQL server that runs as a child of this process. */
export interface EmbeddedPostgres {
  /** As the service's role, with its password and the database `placard`. Holds a secret: do not log. */
  readonly url: string;
  /** As the owner of the tables, who runs migrations. Holds a secret: do not log. */
  readonly ownerUrl: string;
  readonly pid: number;
  /** Resolves with the exit code (null: a signal) when the server has ended, whyever. */
  readonly exited: Promise<number | null>;
  /** Fast shutdown: sessions are ended, everything is written. Safe to call twice. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** PostgreSQL settings over the built-in ones; tests switch `fsync` off here. */
  readonly settings?: Readonly<Record<string, string>>;
}

const database = 'placard';
/** Owns the database and its tables. */
const superuser = 'placard';
/** Reads and writes rows, and owns nothing. */
const serviceRole = 'placard_service';
const startTimeoutMs = 60_000;
const startAttemptsMax = 5;
/** Longest output of the starting server that is retained, in characters. */
const outputMax = 8_000;

/** Light on memory while idle, safe against power loss. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '60',
  shared_buffers: '64MB',
  work_mem: '8MB',
  max_wal_size: '512MB',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  max_wal_senders: '4',
  huge_pages: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  // Details and statements hold values of rows: addresses of people, say.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  logging_collector: 'off',
  log_line_prefix: '',
};

/**
 * Starts the built-in PostgreSQL on `<dataDir>/postgres`, making the cluster and the database `placard` on first use. Listens on
 * 127.0.0.1 only, with two roles: the owner of the tables and the service's role, each with a password of its own in
 * `<dataDir>/secrets`. A server left behind by a killed run is ended first.
 * @throws Error with what to do, when it does not start within a minute
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options;
  const secretsDir = join(options.dataDir, 'secrets');
  mkdirSync(secretsDir, { recursive: true, mode: 0o700 });
  const password = readPassword(secretsDir, 'postgres-password');
  const servicePassword = readPassword(secretsDir, 'postgres-service-password');
  const account = await findPostgresAccount(log);
  const found = await findPostgresBinaries();
  const postgresDir = await realpath(await choosePostgresDir(options.dataDir, account, log));
  const reachable = await canReach(await realpath(found.postgres), account);
  const binaries = reachable ? found : await copyPostgresBinaries(found, await makeSystemDir());
  const cluster: Cluster = { postgresDir, clusterDir: join(postgresDir, 'cluster'), account, binaries, password, log };
  await endLeftoverPostmaster(postgresDir, cluster.clusterDir, log);
  await initCluster(cluster);
  const server = await startServer(cluster, { ...SETTINGS, ...options.settings });
  const urlOf = (user: string, secret: string) => `postgresql://${user}:${secret}@127.0.0.1:${server.port}/${database}`;
  const ownerUrl = urlOf(superuser, password);
  try {
    await createDatabase(ownerUrl, servicePassword);
  } catch (error) {
    await server.stop();
    throw error;
  }
  log.event('postgres.ready', { postgresPid: server.pid, port: server.port, dir: postgresDir });
  const { pid, exited } = server;
  return { url: urlOf(serviceRole, servicePassword), ownerUrl, pid, exited, stop: () => server.stop() };
}

function readPassword(secretsDir: string, name: string): string {
  return readOrCreate(secretsDir, name, () => `${randomBytes(24).toString('hex')}\n`).trim();
}

interface Cluster {
  readonly postgresDir: string;
  readonly clusterDir: string;
  readonly account: PostgresAccount;
  readonly binaries: PostgresBinaries;
  readonly password: string;
  readonly log: Log;
}

interface Server {
  readonly pid: number;
  readonly port: number;
  readonly exited: Promise<number | null>;
  stop(): Promise<void>;
}

/** Makes the cluster aside and renames it: one that is half made never has its name. */
async function initCluster(cluster: Cluster): Promise<void> {
  const { clusterDir, postgresDir, binaries, password, log } = cluster;
  if (await isThere(join(clusterDir, 'PG_VERSION'))) return;
  const startedAtMs = performance.now();
  const aside = join(postgresDir, 'cluster.new');
  const passwordFile = join(postgresDir, 'initdb-password');
  await rm(aside, { recursive: true, force: true });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  try {
    const { uid, gid } = cluster.account;
    const file = await open(passwordFile, 'r+');
    if (uid !== null && gid !== null) await file.chown(uid, gid);
    await file.close();
    const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-locale'];
    const auth = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, `--username=${superuser}`];
    const child = spawnAs(cluster, binaries.initdb, [`--pgdata=${aside}`, '--no-instructions', ...locale, ...auth]);
    const output = collectOutput(child);
    const code = await waitForExit(child);
    if (code !== 0) throw new Error(`initdb failed (exit ${code}): ${output.text().trim()}`);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(aside, clusterDir);
  const parent = await open(postgresDir, 'r');
  try {
    await parent.sync();
  } finally {
    await parent.close();
  }
  log.event('postgres.cluster_created', { dir: clusterDir, ms: Math.round(performance.now() - startedAtMs) });
}

/** Another try is worth it when the port was taken meanwhile, or a killed server's last processes still hold its memory. */
const TRANSIENT =
  /could not bind|could not create any TCP\/IP sockets|pre-existing shared memory block|is still in use/;

async function startServer(cluster: Cluster, settings: Readonly<Record<string, string>>): Promise<Server> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await pickPort(cluster.postgresDir, attempt > 1);
    const started = await tryStart(cluster, { ...settings, port: String(port) });
    if ('pid' in started) {
      await writeFile(join(cluster.postgresDir, 'port'), String(started.port));
      return started;
    }
    if (attempt === startAttemptsMax || !TRANSIENT.test(started.failure)) {
      throw new Error(`PostgreSQL did not start on ${cluster.clusterDir}: ${started.failure}`);
    }
    cluster.log.event('postgres.start_retry', { attempt, failure: started.failure });
    await sleep(attempt * 300);
  }
}

async function tryStart(
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
): Promise<Server | { failure: string }> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawnAs(cluster, cluster.binaries.postgres, ['-D', cluster.clusterDir, ...flags]);
  const output = collectOutput(child);
  let hasExited = false;
  const exited = waitForExit(child).finally(() => {
    hasExited = true;
  });
  exited.catch(() => undefined);
  recordOwner(cluster.postgresDir);
  const until = performance.now() + startTimeoutMs;
  while (performance.now() < until && !hasExited) {
    const file = readPostmasterFile(cluster.clusterDir);
    if (file !== null && file.pid === child.pid && file.isReady) {
      output.forward(cluster.log);
      return { pid: file.pid, port: file.port, exited, stop: () => stopServer(file.pid, exited) };
    }
    await sleep(10);
  }
  if (!hasExited && child.pid !== undefined) await endPostmaster(child.pid);
  await exited.catch(() => undefined);
  return { failure: output.text().trim() || 'it ended without a word' };
}

async function stopServer(pid: number, exited: Promise<number | null>): Promise<void> {
  const gone = exited.then(() => true);
  const ended = endPostmaster(pid).then(() => true);
  await Promise.race([gone, ended]);
  await gone;
}

/** The port of the last run when it is free, so that recorded addresses stay correct. */
async function pickPort(postgresDir: string, fresh: boolean): Promise<number> {
  const last = fresh ? 0 : Number(await readFile(join(postgresDir, 'port'), 'utf8').catch(() => '0'));
  const wanted = Number.isSafeInteger(last) && last > 1_023 && last < 65_536 ? last : 0;
  return probePort(wanted).catch(() => probePort(0));
}

function probePort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Makes the database and the service's role where they are missing, and sets the role's password and its lack of powers. */
async function createDatabase(ownerUrl: string, servicePassword: string): Promise<void> {
  const connectionString = ownerUrl.replace(/\/[^/]*$/, '/postgres');
  const admin = new Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await admin.connect();
  try {
    const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await admin.query(`CREATE DATABASE ${database}`);
    const role = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [serviceRole]);
    const verb = role.rowCount === 0 ? 'CREATE' : 'ALTER';
    const powers = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';
    // The log of statements would show the password.
    await admin.query("SET log_statement = 'none'");
    await admin.query(`${verb} ROLE ${serviceRole} ${powers} PASSWORD ${admin.escapeLiteral(servicePassword)}`);
  } finally {
    await admin.end();
  }
}

/** Detached: a Ctrl-C in the terminal reaches the supervisor alone, which stops its children in order. */
function spawnAs(cluster: Cluster, program: string, args: readonly string[]): ChildProcess {
  const { uid, gid } = cluster.account;
  return spawn(program, args, {
    cwd: cluster.postgresDir,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' },
    ...(uid === null || gid === null ? {} : { uid, gid }),
  });
}

function waitForExit(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });
}

/** Retains the last output of a child, and later forwards each line to the log. */
function collectOutput(child: ChildProcess): { text(): string; forward(log: Log): void } {
  let text = '';
  let log: Log | null = null;
  const collect = (chunk: Buffer) => {
    if (log === null) text = (text + chunk.toString('utf8')).slice(-outputMax);
    else for (const line of chunk.toString('utf8').split('\n')) if (line !== '') logLine(log, line);
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  return {
    text: () => text,
    forward: (to) => {
      log = to;
    },
  };
}

function logLine(log: Log, line: string): void {
  if (/^(ERROR|FATAL|PANIC):/.test(line)) log.event('postgres.reported_error', { text: line });
  else if (line.startsWith('WARNING:')) log.event('postgres.reported_warning', { text: line });
  else log.event('postgres.reported', { text: line });
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
