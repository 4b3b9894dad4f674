import type { Kysely } from 'kysely';
import { z } from 'zod';
import { nodeCall } from '../../storage/sql/node-call.ts';
import type { Database } from '../../storage/sql/schema.ts';
import * as own from './hot-recovery.sql.ts';

type Sql = Kysely<Database>;

const NAME = z.string().min(1).max(100);
const ROUND = z.string().regex(/^\d{1,19}$/);
const SHARDS = z.array(z.number().int().min(0).max(16_383)).max(16_384);
const PHASE = z.enum(['whole', 'hold', 'recount', 'count']);
const LEAD = { machineId: NAME, round: ROUND };

/** As `readRound` of hot-recovery.sql.ts, also through a core. */
export const readRound = nodeCall('recovery.round', z.tuple([]), (sql: Sql) => own.readRound(sql));

/** As `insertStore` of hot-recovery.sql.ts, also through a core. */
export const insertStore = nodeCall('recovery.insertStore', z.tuple([NAME]), (sql: Sql, epoch: string) =>
  own.insertStore(sql, epoch),
);

/** As `saveMachine` of hot-recovery.sql.ts, also through a core. */
export const saveMachine = nodeCall(
  'recovery.saveMachine',
  z.tuple([z.strictObject({ ...LEAD, step: z.enum(['none', 'held', 'recounted', 'counted']) })]),
  (sql: Sql, machine: own.RecoveryMachine) => own.saveMachine(sql, machine),
);

/** As `deleteMachine` of hot-recovery.sql.ts, also through a core. */
export const deleteMachine = nodeCall('recovery.deleteMachine', z.tuple([NAME]), (sql: Sql, machineId: string) =>
  own.deleteMachine(sql, machineId),
);

/** As `listMachines` of hot-recovery.sql.ts, also through a core. */
export const listMachines = nodeCall('recovery.machines', z.tuple([]), (sql: Sql) => own.listMachines(sql));

/** As `beginRound` of hot-recovery.sql.ts, also through a core. */
export const beginRound = nodeCall(
  'recovery.beginRound',
  z.tuple([
    z.strictObject({
      after: z.strictObject({
        round: ROUND,
        phase: PHASE,
        lost: SHARDS,
        epoch: z.string().max(100),
        beganAt: z.date().nullable(),
      }),
      lost: SHARDS,
    }),
  ]),
  (sql: Sql, round: Parameters<typeof own.beginRound>[1]) => own.beginRound(sql, round),
);

/** As `acquireLead` of hot-recovery.sql.ts, also through a core. */
export const acquireLead = nodeCall(
  'recovery.acquireLead',
  z.tuple([z.strictObject(LEAD)]),
  (sql: Sql, lead: Parameters<typeof own.acquireLead>[1]) => own.acquireLead(sql, lead),
);

/** As `setPhase` of hot-recovery.sql.ts, also through a core. */
export const setPhase = nodeCall(
  'recovery.setPhase',
  z.tuple([z.strictObject({ ...LEAD, phase: PHASE.exclude(['hold']), epoch: NAME })]),
  (sql: Sql, next: Parameters<typeof own.setPhase>[1]) => own.setPhase(sql, next),
);

/** What the recovery of a shared hot store does in PostgreSQL. */
export const RECOVERY_CALLS = [
  readRound,
  insertStore,
  saveMachine,
  deleteMachine,
  listMachines,
  beginRound,
  acquireLead,
  setPhase,
] as const;
