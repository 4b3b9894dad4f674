import { Gauge, type Registry } from 'prom-client';
import { z } from 'zod';
import type { Log } from '../../domain/log/log.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import { listModels, MODELS_MAX, type ModelVersion, readModels } from './context-models.sql.ts';
import { ContextModel } from '../value/context-model.ts';

const RELOAD_MS = 30_000;
/** An older model is not used: rates of creatives are the same everywhere then. */
export const MODEL_KEPT_MS = 24 * 3_600_000;

const MODEL = z.object({
  madeAtMs: z.number(),
  weights: z.array(z.tuple([z.number().int().min(0).max(0xffff_ffff), z.number().min(-20).max(20)])),
  // A core of the version before sends none.
  maturities: z.array(z.tuple([z.string(), z.number().min(0).max(1)])).default([]),
});

/** The parts of a feed. */
export interface ContextFeedDeps {
  readonly sql: Kysely<Database>;
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * The context models as a process knows them, read from PostgreSQL every half minute. When a read fails, the last ones stay in use until they are
 * a day old. Without a model, rotation goes by the rates of creatives alone.
 */
export class ContextFeed {
  readonly #deps: ContextFeedDeps;
  readonly #models = new Map<number, ContextModel>();
  /** When the models that cannot be used were made: they are not read again. */
  readonly #unusable = new Map<number, number>();
  #timer: NodeJS.Timeout | null = null;
  #reading: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(deps: ContextFeedDeps) {
    this.#deps = deps;
  }

  /** Reads again and again. */
  start(): void {
    const read = (): void => {
      this.#reading = this.reload();
      void this.#reading.then(() => {
        if (this.#timer !== null) this.#timer = setTimeout(read, RELOAD_MS).unref();
      });
    };
    this.#timer = setTimeout(read, 0).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#reading;
  }

  /** The model of a workspace, unless it is too old. */
  find(workspaceId: number, nowMs: number): ContextModel | null {
    const model = this.#models.get(workspaceId);
    return model !== undefined && nowMs < model.madeAtMs + MODEL_KEPT_MS ? model : null;
  }

  /** Reads the models that are new. Never rejects. */
  async reload(): Promise<void> {
    const { sql, nowMs, log } = this.#deps;
    const oldestMs = Math.max(0, nowMs() - MODEL_KEPT_MS);
    try {
      const changed = (await listModels(sql, oldestMs)).filter(
        ({ workspaceId, madeAtMs }) =>
          this.#models.get(workspaceId)?.madeAtMs !== madeAtMs && this.#unusable.get(workspaceId) !== madeAtMs,
      );
      for (let from = 0; from < changed.length; from += MODELS_MAX)
        await this.#read(changed.slice(from, from + MODELS_MAX));
      for (const [workspaceId, { madeAtMs }] of this.#models) if (madeAtMs < oldestMs) this.#models.delete(workspaceId);
      for (const [workspaceId, madeAtMs] of this.#unusable) if (madeAtMs < oldestMs) this.#unusable.delete(workspaceId);
      this.#isFailing = false;
    } catch (error) {
      // A core of an older program fails every read.
      if (!this.#isFailing) log.event('context_model.not_read', { err: error });
      this.#isFailing = true;
    }
  }

  /** Adds the metric of the models in use. */
  registerMetrics(registry: Registry): void {
    const { nowMs } = this.#deps;
    const countInUse = () => [...this.#models.keys()].filter((id) => this.find(id, nowMs()) !== null).length;
    new Gauge({
      name: 'placard_context_model_workspaces',
      help: 'Workspaces whose creatives rotate by rates that depend on the context.',
      registers: [registry],
      collect() {
        this.set(countInUse());
      },
    });
  }

  /** Reads some models. One that cannot be used leaves the last one of its workspace in use. */
  async #read(versions: readonly ModelVersion[]): Promise<void> {
    const { sql, log } = this.#deps;
    for (const { workspaceId, model } of await readModels(
      sql,
      versions.map((version) => version.workspaceId),
    )) {
      const { data, error } = MODEL.safeParse(model);
      if (data === undefined) {
        log.event('context_model.not_usable', { err: error, workspaceId });
        this.#unusable.set(workspaceId, model.madeAtMs);
      } else {
        this.#models.set(workspaceId, new ContextModel(data));
        this.#unusable.delete(workspaceId);
      }
    }
  }
}
