import type { Log } from '../../domain/log/log.ts';
import { withJitter } from '../../domain/time/jitter.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import { readDirectory, readDirectoryPart } from './directory.sql.ts';
import type { DirectoryData, KeyRecord, PairRecord, WorkspaceRecord } from './directory-data.ts';
import type { DirectoryFile } from './directory-file.ts';
import { DirectoryLookup, type WantedName } from './directory-lookup.ts';
import { type AddressCheck, compileAllowlist } from './ip-allowlist.ts';

/** How often the whole directory is read again even without a notice. */
const REFRESH_MS = 10_000;
/** How soon a failed read is tried again. */
const RETRY_MS = 500;
/** How long `start` waits for a first reading when there is no copy on disk. */
const FIRST_READ_TIMEOUT_MS = 30_000;

/** A change notice of the change feed. */
export interface DirectoryNotice {
  readonly kind: string;
}

/** The result of a look-up by digest or login: the record and its workspace. */
export interface FoundKey extends KeyRecord {
  readonly workspace: WorkspaceRecord;
  readonly admits: AddressCheck;
}
export interface FoundPair extends PairRecord {
  readonly workspace: WorkspaceRecord;
}

interface DirectoryDeps {
  readonly sql: Kysely<Database>;
  readonly file: DirectoryFile;
  readonly log: Log;
  readonly refreshMs?: number;
}

interface Index {
  readonly asOfMs: number;
  readonly keys: ReadonlyMap<string, FoundKey>;
  readonly pairs: ReadonlyMap<string, FoundPair>;
  readonly byId: ReadonlyMap<number, WorkspaceRecord>;
  readonly byNetwork: ReadonlyMap<string, WorkspaceRecord>;
}

const WATCHED: ReadonlySet<string> = new Set(['apiKey', 'headerCredential', 'network', 'workspace']);
const EMPTY: DirectoryData = { asOfMs: 0, workspaces: [], keys: [], pairs: [] };

/**
 * Keys, pairs and workspaces in memory: read whole from PostgreSQL, again on every change notice (and every 10 s), and from the
 * last good copy on disk while PostgreSQL is unavailable. `lookUp` reads a name that is not in memory yet.
 */
export class KeyDirectory {
  readonly #deps: DirectoryDeps;
  #index: Index = buildIndex(EMPTY);
  /** Found by name since the directory was last read whole. */
  #found: Index = buildIndex(EMPTY);
  /** How often the directory was read whole: a name that was looked up meanwhile may be out of date. */
  #generation = 0;
  readonly #lookup: DirectoryLookup;
  #reading: Promise<void> | null = null;
  #readAgain = false;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  #failing = false;
  #loaded = false;
  /** The directory as this process last wrote it to disk, without its instant: an unchanged directory is not written again. */
  #written = '';

  constructor(deps: DirectoryDeps) {
    this.#deps = deps;
    this.#lookup = new DirectoryLookup({
      read: async (wanted) => {
        const generation = this.#generation;
        const found = await readDirectoryPart(deps.sql, wanted);
        // A full read that began earlier may lack the new record, and one that ended meanwhile may know that it is revoked.
        return generation === this.#generation ? found : readDirectoryPart(deps.sql, wanted);
      },
      add: (found) => this.#addFound(found),
      has: (name) => this.#has(name),
      nowMs: () => Date.now(),
    });
  }

  /**
   * Loads the directory.
   * @param isCopyEnough does not wait for PostgreSQL where there is a copy on disk; it is read soon after. Default false
   * @param databaseReady awaited before a first read of PostgreSQL
   * @throws PlacardError `unavailable` when neither PostgreSQL nor a copy is available within 30 s.
   */
  async start(isCopyEnough = false, databaseReady?: () => Promise<void>): Promise<void> {
    const copy = this.#deps.file.readNewest();
    if (copy !== null) this.#replace(copy);
    if (copy !== null && isCopyEnough) {
      // The change feed asks for it once it is connected.
      this.#schedule(REFRESH_MS);
      return;
    }
    await databaseReady?.();
    const deadline = Date.now() + FIRST_READ_TIMEOUT_MS;
    await this.refresh();
    while (!this.#loaded && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      await this.refresh();
    }
    if (!this.#loaded)
      throw new PlacardError('unavailable', 'Neither PostgreSQL nor a copy of the keys on disk can be read.');
  }

  /** Stops the timer and waits for a read under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#reading;
  }

  /** Takes notices of the change feed; null after a reconnection, when any may have been missed. */
  onChange(notices: readonly DirectoryNotice[] | null): void {
    if (notices === null || notices.some((notice) => WATCHED.has(notice.kind))) void this.refresh();
  }

  /** Reads everything again; calls while a read is under way share one more read after it. Never rejects. */
  refresh(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    if (this.#reading !== null) {
      this.#readAgain = true;
      return this.#reading;
    }
    this.#reading = this.#readUntilCurrent().finally(() => {
      this.#reading = null;
      this.#schedule(this.#failing ? RETRY_MS : (this.#deps.refreshMs ?? REFRESH_MS));
    });
    return this.#reading;
  }

  /** @param digest hex */
  findKey(digest: string): FoundKey | null {
    return this.#index.keys.get(digest) ?? this.#found.keys.get(digest) ?? null;
  }

  findPair(login: string): FoundPair | null {
    return this.#index.pairs.get(login) ?? this.#found.pairs.get(login) ?? null;
  }

  findWorkspace(networkId: string, environment: Environment): WorkspaceRecord | null {
    const name = `${networkId}/${environment}`;
    return this.#index.byNetwork.get(name) ?? this.#found.byNetwork.get(name) ?? null;
  }

  findWorkspaceById(workspaceId: number): WorkspaceRecord | null {
    return this.#index.byId.get(workspaceId) ?? this.#found.byId.get(workspaceId) ?? null;
  }

  /**
   * Asks PostgreSQL for a name that is not in memory; afterwards find it again. Within bounds: see `DirectoryLookup`. Never rejects.
   * @param source the address to count failed attempts by
   */
  lookUp(wanted: WantedName, source: string): Promise<void> {
    return this.#lookup.ask(wanted, source);
  }

  /** Whether there are keys to authenticate with, and how current they are. */
  readiness(): { name: string; ok: boolean; detail?: string } {
    const asOf = new Date(this.#index.asOfMs).toISOString();
    if (!this.#loaded) return { name: 'keys', ok: false, detail: 'not loaded yet' };
    return this.#failing
      ? { name: 'keys', ok: true, detail: `PostgreSQL is unavailable; keys as of ${asOf}` }
      : { name: 'keys', ok: true };
  }

  async #readUntilCurrent(): Promise<void> {
    do {
      this.#readAgain = false;
      await this.#readOnce();
    } while (this.#readAgain && !this.#stopped);
  }

  async #readOnce(): Promise<void> {
    let data: DirectoryData;
    try {
      data = await readDirectory(this.#deps.sql);
    } catch (error) {
      if (!this.#failing) this.#deps.log.event('keys.unavailable', { err: error });
      this.#failing = true;
      return;
    }
    if (this.#failing) this.#deps.log.event('keys.available');
    this.#failing = false;
    this.#replace(data);
    const content = JSON.stringify({ ...data, asOfMs: 0 });
    if (content === this.#written) return;
    try {
      await this.#deps.file.write(data);
      this.#written = content;
    } catch (error) {
      this.#deps.log.event('keys.copy_not_written', { err: error });
    }
  }

  #replace(data: DirectoryData): void {
    // Records that were looked up by name after this read began are not among its rows.
    if (data.asOfMs >= this.#found.asOfMs) this.#found = buildIndex(EMPTY);
    this.#index = buildIndex(data);
    this.#generation += 1;
    this.#loaded = true;
  }

  #addFound(found: DirectoryData): void {
    const index = buildIndex(found);
    const { keys, pairs, byId, byNetwork } = this.#found;
    this.#found = {
      asOfMs: found.asOfMs,
      keys: new Map([...keys, ...index.keys]),
      pairs: new Map([...pairs, ...index.pairs]),
      byId: new Map([...byId, ...index.byId]),
      byNetwork: new Map([...byNetwork, ...index.byNetwork]),
    };
  }

  #has({ kind, name }: WantedName): boolean {
    switch (kind) {
      case 'digests':
        return this.findKey(name) !== null;
      case 'logins':
        return this.findPair(name) !== null;
      case 'networkIds':
        return this.findWorkspace(name, 'production') !== null;
    }
  }

  #schedule(delayMs: number): void {
    if (this.#stopped) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.refresh(), withJitter(delayMs)).unref();
  }
}

function buildIndex(data: DirectoryData): Index {
  const byId = new Map(data.workspaces.map((workspace) => [workspace.workspaceId, workspace]));
  const keys = new Map<string, FoundKey>();
  for (const key of data.keys) {
    const workspace = byId.get(key.workspaceId);
    if (workspace !== undefined) keys.set(key.digest, { ...key, workspace, admits: compileAllowlist(key.ipAllowlist) });
  }
  const pairs = new Map<string, FoundPair>();
  for (const pair of data.pairs) {
    const workspace = byId.get(pair.workspaceId);
    if (workspace !== undefined) pairs.set(pair.login, { ...pair, workspace });
  }
  const byNetwork = new Map(
    data.workspaces.map((workspace) => [`${workspace.networkId}/${workspace.environment}`, workspace]),
  );
  return { asOfMs: data.asOfMs, keys, pairs, byId, byNetwork };
}
