import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Log } from '../../domain/log/log.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { ChangeNotice } from '../../storage/sql/change-feed.ts';
import { NAMED_KINDS, readNamePage, readNames, type EntityName, type NamePosition } from './names.sql.ts';

const PAGE_ROWS = 5_000;
/** Changed objects that are remembered one by one; past it everything is read again. */
const CHANGED_MAX = 20_000;
const RETRY_FIRST_MS = 200;
const RETRY_MAX_MS = 10_000;

/** The stores between which the names are copied. */
export interface NamesSyncDeps {
  readonly db: Kysely<Database>;
  readonly olap: Olap;
  readonly log: Log;
  readonly nowMs: () => number;
}

/**
 * Keeps `entity_names` in step with the management database: everything once at the start and after lost notices, then what
 * changed. One copy at a time; failures are tried again for ever. Runs in the core process alone.
 */
export class NamesSync {
  readonly #deps: NamesSyncDeps;
  readonly #stop = new AbortController();
  /** `workspaceId kind id` of each change. */
  #changed = new Set<string>();
  #needsAll = false;
  #running: Promise<void> | null = null;
  #version = 0;
  #isComplete = false;
  /** Copies of everything, and copies of single objects by workspace since the last of those. */
  #copies = 0;
  #changesOf = new Map<number, number>();

  constructor(deps: NamesSyncDeps) {
    this.#deps = deps;
  }

  /** True once everything was copied at least once. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** A text that changes after names of the workspace did. */
  versionOf(workspaceId: number): string {
    return `${this.#copies}.${this.#changesOf.get(workspaceId) ?? 0}`;
  }

  /** Copies everything again, soon. */
  resync(): void {
    this.#needsAll = true;
    this.#wake();
  }

  /** Copies what changed, soon. Notices of other kinds are ignored. */
  notice(batch: readonly ChangeNotice[]): void {
    for (const { workspaceId, kind, id } of batch) {
      if (NAMED_KINDS.includes(kind) && /^\d{1,18}$/.test(id)) this.#changed.add(`${workspaceId} ${kind} ${id}`);
    }
    if (this.#changed.size > CHANGED_MAX) {
      this.#changed.clear();
      this.#needsAll = true;
    }
    this.#wake();
  }

  /** Ends the copying; what is left is copied after the next start. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  #wake(): void {
    if (this.#running !== null || this.#stop.signal.aborted) return;
    this.#running = this.#run().finally(() => {
      this.#running = null;
      if (this.#needsAll || this.#changed.size > 0) this.#wake();
    });
  }

  async #run(): Promise<void> {
    let waitMs = RETRY_FIRST_MS;
    while ((this.#needsAll || this.#changed.size > 0) && !this.#stop.signal.aborted) {
      try {
        await this.#copyOnce();
        waitMs = RETRY_FIRST_MS;
      } catch (error) {
        this.#deps.log.event('reports.names_not_copied', { err: error, retryMs: waitMs });
        await sleep(waitMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
        waitMs = Math.min(RETRY_MAX_MS, waitMs * 2);
      }
    }
  }

  async #copyOnce(): Promise<void> {
    if (this.#needsAll) {
      this.#needsAll = false;
      try {
        await this.#copyAll();
      } catch (error) {
        this.#needsAll = true;
        throw error;
      }
      this.#isComplete = true;
      this.#copies += 1;
      this.#changesOf.clear();
      return;
    }
    const changed = this.#changed;
    this.#changed = new Set();
    try {
      await this.#copyChanged(changed);
    } catch (error) {
      for (const key of changed) this.#changed.add(key);
      throw error;
    }
  }

  async #copyAll(): Promise<void> {
    for (const kind of NAMED_KINDS) {
      let after: NamePosition | null = null;
      do {
        const page: EntityName[] = await readNamePage(this.#deps.db, kind, after, PAGE_ROWS);
        await this.#insert(page);
        const last: EntityName | undefined = page.at(-1);
        after = page.length < PAGE_ROWS || last === undefined ? null : { workspaceId: last.workspaceId, id: last.id };
      } while (after !== null && !this.#stop.signal.aborted);
    }
  }

  async #copyChanged(changed: ReadonlySet<string>): Promise<void> {
    const byKind = Map.groupBy(changed, (key) => key.slice(0, key.lastIndexOf(' ')));
    const names: EntityName[] = [];
    for (const [group, keys] of byKind) {
      const [workspaceId = '0', kind = ''] = group.split(' ');
      const ids = keys.map((key) => key.slice(key.lastIndexOf(' ') + 1));
      names.push(...(await readNames(this.#deps.db, Number(workspaceId), kind, ids)));
    }
    await this.#insert(names);
    for (const workspaceId of new Set(names.map((name) => name.workspaceId))) {
      this.#changesOf.set(workspaceId, (this.#changesOf.get(workspaceId) ?? 0) + 1);
    }
  }

  async #insert(names: readonly EntityName[]): Promise<void> {
    if (names.length === 0) return;
    this.#version = Math.max(this.#version + 1, this.#deps.nowMs());
    const lines = names.map(({ workspaceId, kind, id, name }) =>
      JSON.stringify({ workspace_id: workspaceId, kind, id, name, version: this.#version }),
    );
    const columns = ['workspace_id', 'kind', 'id', 'name', 'version'];
    await this.#deps.olap.insertRaw({
      table: 'entity_names',
      columns,
      body: Buffer.from(lines.join('\n')),
      token: randomUUID(),
    });
  }
}
