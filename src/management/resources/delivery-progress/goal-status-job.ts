import type { Transaction } from 'kysely';
import { recordAudit } from '../../../access/audit/audit.sql.ts';
import type { GoalStatus } from '../../../domain/pacing/goal-projection.ts';
import type { MailQueue } from '../../../mail/mail-queue.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import { notify } from '../notification/notify.ts';
import { findName, listTeam } from '../notification/notifications.sql.ts';
import { type GoalRow, readEnvironment, readFound, recordStatus } from './goal-status.sql.ts';
import { type MeasureDeps, measureRows } from './measure-rows.ts';
import { ServingWalk } from './serving-walk.ts';

const EVERY_MS = 300_000;
/** The principal that the feed of changes names. */
const ACTOR = 'system:delivery';

/** The dependencies of the job. */
export interface GoalStatusDeps extends MeasureDeps {
  /** Absent or null: nobody is told by mail. */
  readonly mail?: MailQueue | null;
}

/** The statuses that the feed tells. Being ahead needs nobody: it counts as on track. */
const TOLD: Readonly<Record<GoalStatus, string>> = {
  NOT_STARTED: 'NOT_STARTED',
  ON_TRACK: 'ON_TRACK',
  AHEAD: 'ON_TRACK',
  BEHIND: 'BEHIND',
  AT_RISK: 'AT_RISK',
  REACHED: 'REACHED',
  MISSED: 'MISSED',
};

/** What members are told of. */
const NEEDS_ATTENTION: ReadonlySet<string> = new Set(['BEHIND', 'AT_RISK', 'MISSED']);

/** Tells the feed of changes when a line item starts, falls behind, is at risk, recovers, reaches its goal or misses it. */
export class GoalStatusJob extends ServingWalk {
  readonly #deps: GoalStatusDeps;

  constructor(deps: GoalStatusDeps) {
    super({ firstMs: EVERY_MS, everyMs: EVERY_MS });
    this.#deps = deps;
  }

  /** Looks at all line items with a goal, and returns how many changes were told. @throws what the stores throw */
  run(): Promise<number> {
    return this.walk(this.#deps.sql, { onlyGoals: true }, (workspaceId, goals) => this.#tell(workspaceId, goals));
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('goals.status_failed', { err: error });
  }

  /** Line items of one workspace. */
  async #tell(workspaceId: number, goals: readonly GoalRow[]): Promise<number> {
    const measured = await measureRows(this.#deps, goals);
    const statuses = measured.map(({ progress }) => {
      const status = progress?.status ?? null;
      return status === null ? null : TOLD[status];
    });
    const known = await readFound(
      this.#deps.sql,
      workspaceId,
      goals.map(({ row }) => row.id),
    );
    let told = 0;
    for (const [at, { row, networkId }] of goals.entries()) {
      const status = statuses[at] ?? null;
      const standing = known.get(row.id);
      if (status === null || (standing?.found === status && standing.told === status)) continue;
      if (await this.#record({ workspaceId, networkId, lineItemId: row.id }, status)) told += 1;
    }
    return told;
  }

  #record(line: { workspaceId: number; networkId: string; lineItemId: bigint }, status: string): Promise<boolean> {
    const { sql, nowMs } = this.#deps;
    return sql.transaction().execute(async (trx) => {
      const before = await recordStatus(trx, line, status);
      if (before === null) return false;
      const { networkId, workspaceId } = line;
      const by = { actor: ACTOR, remoteAddress: '', networkId, workspaceId };
      const entry = {
        by,
        action: 'lineItem.progress',
        objectKind: 'lineItem',
        objectId: String(line.lineItemId),
        before: { goalStatus: before },
        after: { goalStatus: status },
      };
      if (NEEDS_ATTENTION.has(status)) await this.#notify(trx, line, status);
      await recordAudit(trx, entry, new Date(nowMs()));
      return true;
    });
  }

  /** Editors and admins are told, in the console and by mail as each chose. */
  async #notify(
    trx: Transaction<Database>,
    { workspaceId, networkId, lineItemId }: { workspaceId: number; networkId: string; lineItemId: bigint },
    status: string,
  ): Promise<void> {
    const name = await findName(trx, { workspaceId, kind: 'lineItem', id: lineItemId });
    if (name === null) return;
    await notify(
      { db: trx, mail: this.#deps.mail ?? null, nowMs: this.#deps.nowMs() },
      {
        event: 'BEHIND_GOAL',
        workspaceId,
        networkId,
        environment: await readEnvironment(trx, workspaceId),
        object: { kind: 'lineItem', id: String(lineItemId), name },
        actor: 'Placard',
        members: await listTeam(trx, networkId, 'read-write'),
        details: { status },
      },
    );
  }
}
