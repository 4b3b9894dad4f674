import type { Kysely } from 'kysely';
import type { ChangeNotice } from '../../storage/sql/change-feed.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { MemberIndex } from './member-index.ts';
import { readOwnDefinitions } from './own-definitions.sql.ts';
import { networkIndex } from './own-members.olap.ts';

const WORKSPACES_MAX = 10_000;
const OWN_KINDS: ReadonlySet<string> = new Set(['keyValue', 'activity']);

/** The members of each workspace, kept until one of its definitions changes. */
export class NetworkIndexes {
  readonly #known = new Map<number, Promise<MemberIndex>>();
  readonly #db: Kysely<Database>;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** The members that the workspace can query. Rejects while the management database is unavailable and nothing is known yet. */
  of(workspaceId: number): Promise<MemberIndex> {
    const known = this.#known.get(workspaceId);
    if (known !== undefined) return known;
    if (this.#known.size >= WORKSPACES_MAX) this.#known.clear();
    const reading = readNetworkIndex(this.#db, workspaceId);
    this.#known.set(workspaceId, reading);
    reading.catch(() => {
      if (this.#known.get(workspaceId) === reading) this.#known.delete(workspaceId);
    });
    return reading;
  }

  /** Forgets what changed. */
  notice(batch: readonly ChangeNotice[]): void {
    for (const { workspaceId, kind } of batch) if (OWN_KINDS.has(kind)) this.#known.delete(workspaceId);
  }

  /** Forgets everything: notices may have been lost. */
  forget(): void {
    this.#known.clear();
  }
}

/** The members of a workspace as its definitions are now. */
export async function readNetworkIndex(db: Kysely<Database>, workspaceId: number): Promise<MemberIndex> {
  return networkIndex(await readOwnDefinitions(db, workspaceId));
}
