import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { Counter, type Registry } from 'prom-client';
import type { ReadConversionAges } from '../../domain/events/conversion-ages.ts';
import type { ContextOutcome, ReadContextOutcomes } from '../../domain/events/context-outcome.ts';
import type { Log } from '../../domain/log/log.ts';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { learnMaturities } from '../value/conversion-delays.ts';
import {
  listConvertingLineItems,
  listRatedEvents,
  listRatedWorkspaces,
  readTraining,
  writeModel,
} from './context-models.sql.ts';
import { ContextTrainer } from './context-trainer.ts';

const EVERY_MS = 600_000;
const FIRST_MS = 30_000;
/** Rows that the store receives now may be invisible for a moment. */
const VISIBLE_MS = 60_000;
/** The past from which a first model is trained, and the most of it that one query reads. */
const PAST_MS = 28 * 86_400_000;
const STEP_MS = 86_400_000;
/** Conversions of older ads are rare: few activities credit them. */
const CONVERTING_MS = 32 * 86_400_000;
const PART_OUTCOMES = 250;

/** The parts of the job. */
export interface ContextModelJobDeps {
  readonly sql: Kysely<Database>;
  readonly readOutcomes: ReadContextOutcomes;
  readonly readConversions: ReadConversionAges;
  readonly nowMs: () => number;
  readonly registry: Registry;
  readonly log: Log;
}

/**
 * Trains the context model of each network every ten minutes, from the events that the analytics store has received since. One network's failure
 * does not stop the others: its events are read again.
 */
export class ContextModelJob extends RecurringJob {
  readonly #deps: ContextModelJobDeps;
  readonly #trainings: Counter<'outcome'>;

  constructor(deps: ContextModelJobDeps) {
    super({ firstMs: FIRST_MS, everyMs: EVERY_MS });
    this.#deps = deps;
    this.#trainings = new Counter({
      name: 'placard_context_trainings_total',
      help: 'Trainings of context models by outcome: made, superseded (another job was faster), failed.',
      labelNames: ['outcome'],
      registers: [deps.registry],
    });
  }

  async run(): Promise<void> {
    const { sql, log } = this.#deps;
    for (const workspaceId of await listRatedWorkspaces(sql)) {
      if (this.isStopped) return;
      try {
        this.#trainings.inc({ outcome: (await this.#train(workspaceId)) ? 'made' : 'superseded' });
      } catch (error) {
        if (this.isStopped) return;
        log.event('context_model.not_trained', { err: error, workspaceId });
        this.#trainings.inc({ outcome: 'failed' });
      }
    }
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('context_model.job_failed', { err: error });
  }

  async #train(workspaceId: number): Promise<boolean> {
    const { sql, readOutcomes, nowMs } = this.#deps;
    const known = await readTraining(sql, workspaceId);
    const events = await listRatedEvents(sql, workspaceId);
    const madeAtMs = nowMs();
    const endMs = madeAtMs - VISIBLE_MS;
    const trainer = new ContextTrainer(known?.state ?? null);
    let trainedToMs = Math.max(known?.trainedToMs ?? 0, endMs - PAST_MS);
    while (trainedToMs < endMs && !this.isStopped) {
      const toMs = Math.min(endMs, trainedToMs + STEP_MS);
      const outcomes = await readOutcomes({ workspaceId, events, fromMs: trainedToMs, toMs });
      trainer.age(toMs - trainedToMs);
      for (const part of cutByLineItem(outcomes)) {
        trainer.learn(part);
        // Requests are served in between.
        await setImmediate();
      }
      trainedToMs = toMs;
    }
    const maturities = await this.#learnMaturities(workspaceId, madeAtMs);
    const trained = { model: { ...trainer.publish(madeAtMs), maturities }, trainedToMs, state: trainer.state() };
    return writeModel(sql, workspaceId, trained, known?.trainedToMs ?? null);
  }

  /** Which part of the conversions of each line item has come. */
  async #learnMaturities(workspaceId: number, nowMs: number): Promise<[key: string, part: number][]> {
    const lineItemIds = await listConvertingLineItems(this.#deps.sql, workspaceId);
    if (lineItemIds.length === 0) return [];
    const asked = { workspaceId, lineItemIds, sinceMs: nowMs - CONVERTING_MS, nowMs };
    return [...learnMaturities(await this.#deps.readConversions(asked))];
  }
}

/** Parts of a few milliseconds: line items are learned apart from each other. */
function* cutByLineItem(outcomes: readonly ContextOutcome[]): Generator<readonly ContextOutcome[]> {
  for (const own of Map.groupBy(outcomes, ({ lineItemId }) => lineItemId).values())
    for (let start = 0; start < own.length; start += PART_OUTCOMES) yield own.slice(start, start + PART_OUTCOMES);
}
