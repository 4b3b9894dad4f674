import { type Kysely, sql } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';

/** How far a machine is in a round: its inserts have ended, its counted files are counted again, then those that waited are counted. */
export type MachineStep = 'none' | 'held' | 'recounted' | 'counted';

/** The present or last round. */
export interface RecoveryRound {
  readonly round: string;
  readonly phase: 'whole' | 'hold' | 'recount' | 'count';
  readonly lost: readonly number[];
  readonly epoch: string;
  readonly beganAt: Date | null;
}

/** A machine that was seen lately. */
export interface RecoveryMachine {
  readonly machineId: string;
  readonly round: string;
  readonly step: MachineStep;
}

/** How long a leader may be silent, and a machine, before the others go on without it. */
const LEADER_SECONDS = 15;
const MACHINE_SECONDS = 15;
/** Machines that are gone for so long are forgotten. */
const FORGET_DAYS = 30;

/** Null: no process has used this hot store with this database yet. */
export async function readRound(db: Kysely<Database>): Promise<RecoveryRound | null> {
  const row = await db.selectFrom('hot_recovery').selectAll().executeTakeFirst();
  if (row === undefined) return null;
  const { round, phase, lost, epoch, began_at } = row;
  return { round, phase, lost, epoch, beganAt: began_at };
}

/** Remembers a new store. @returns false when another process did */
export async function insertStore(db: Kysely<Database>, epoch: string): Promise<boolean> {
  const result = await db
    .insertInto('hot_recovery')
    .values({ epoch })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Says that a machine is alive, and how far it is. */
export async function saveMachine(db: Kysely<Database>, machine: RecoveryMachine): Promise<void> {
  const { machineId, round, step } = machine;
  const row = { round, step, seen_at: sql<Date>`now()` };
  await db
    .insertInto('hot_recovery_machines')
    .values({ machine_id: machineId, round, step })
    .onConflict((conflict) => conflict.column('machine_id').doUpdateSet(row))
    .execute();
}

/** Says that a machine ends: the others do not wait for it. */
export async function deleteMachine(db: Kysely<Database>, machineId: string): Promise<void> {
  await db.deleteFrom('hot_recovery_machines').where('machine_id', '=', machineId).execute();
}

/** The machines that are alive. */
export async function listMachines(db: Kysely<Database>): Promise<readonly RecoveryMachine[]> {
  await db
    .deleteFrom('hot_recovery_machines')
    .where('seen_at', '<', sql<Date>`now() - make_interval(days => ${FORGET_DAYS})`)
    .execute();
  const rows = await db
    .selectFrom('hot_recovery_machines')
    .selectAll()
    .where('seen_at', '>', sql<Date>`now() - make_interval(secs => ${MACHINE_SECONDS})`)
    .execute();
  return rows.map(({ machine_id, round, step }) => ({ machineId: machine_id, round, step }));
}

/** Begins a round after the one that the caller has read. @returns false when another process did */
export async function beginRound(
  db: Kysely<Database>,
  { after, lost }: { readonly after: RecoveryRound; readonly lost: readonly number[] },
): Promise<boolean> {
  const result = await db
    .updateTable('hot_recovery')
    .set({
      round: sql<string>`round + 1`,
      phase: 'hold',
      lost: [...lost],
      // A round that goes on with what another one lost has waited since then.
      began_at: after.phase === 'whole' ? sql<Date>`now()` : (after.beganAt ?? sql<Date>`now()`),
      ended_at: null,
    })
    .where('round', '=', after.round)
    .where('phase', '=', after.phase)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Takes or renews the lead of a round. @returns whether this machine has it */
export async function acquireLead(
  db: Kysely<Database>,
  { machineId, round }: { readonly machineId: string; readonly round: string },
): Promise<boolean> {
  const result = await db
    .updateTable('hot_recovery')
    .set({ leader: machineId, leader_until: sql<Date>`now() + make_interval(secs => ${LEADER_SECONDS})` })
    .where('round', '=', round)
    .where((where) =>
      where.or([
        where('leader', '=', machineId),
        where('leader', 'is', null),
        where('leader_until', '<', sql<Date>`now()`),
      ]),
    )
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Moves a round to its next phase. @returns false when this machine does not lead it any more */
export async function setPhase(
  db: Kysely<Database>,
  next: {
    readonly machineId: string;
    readonly round: string;
    readonly phase: 'recount' | 'count' | 'whole';
    readonly epoch: string;
  },
): Promise<boolean> {
  const { machineId, round, phase, epoch } = next;
  const result = await db
    .updateTable('hot_recovery')
    .set({ phase, epoch, ...(phase === 'whole' ? { ended_at: sql<Date>`now()`, leader: null, lost: [] } : {}) })
    .where('round', '=', round)
    .where('leader', '=', machineId)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
