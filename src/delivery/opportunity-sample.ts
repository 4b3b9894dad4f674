import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Opportunity } from './opportunity.ts';
import { readOpportunityJson, writeOpportunityJson } from './opportunity-json.ts';

/** Where samples stand in the data folder. */
export const SAMPLES_FOLDER = 'forecast';
/** Opportunities kept of one workspace by one worker, and by one worker in all. */
export const SAMPLE_MAX = 1_000;
const SAMPLES_OF_ALL_MAX = 20_000;
const WRITE_MS = 30_000;
/** A sample is begun anew after so long; the one before it stands until then. */
const RENEW_MS = 3 * 86_400_000;
const VERSION = 1;

/** One opportunity that was met. */
export interface SampledOpportunity {
  readonly atMs: number;
  readonly opportunity: Opportunity;
}

/** An even sample of what one worker met in a span. */
export interface OpportunitySample {
  readonly fromMs: number;
  readonly untilMs: number;
  /** How many opportunities the sample stands for. */
  readonly met: number;
  readonly entries: readonly SampledOpportunity[];
}

interface Reservoir {
  fromMs: number;
  met: number;
  entries: SampledOpportunity[];
}

interface Kept {
  now: Reservoir;
  before: OpportunitySample | null;
}

/** What a recorder needs. */
export interface RecorderDeps {
  /** Folder of the samples of this machine. */
  readonly dir: string;
  readonly slot: number;
  readonly nowMs: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly log: Logger;
}

/**
 * Keeps an even sample of each workspace's opportunities, for forecasts: every opportunity has the same chance to be in it
 * (reservoir sampling). Users are left out of it. Written to a file of this worker's own every half minute.
 */
export class OpportunityRecorder {
  readonly #deps: RecorderDeps;
  readonly #kept = new Map<number, Kept>();
  #entries = 0;
  #changed = new Set<number>();
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#writing = this.write();
    }, WRITE_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#writing;
    await this.write();
  }

  /** Takes an opportunity into account; almost always without keeping it. */
  note(opportunity: Opportunity, nowMs: number): void {
    const { workspaceId } = opportunity;
    let kept = this.#kept.get(workspaceId);
    if (kept === undefined) this.#kept.set(workspaceId, (kept = { now: newReservoir(nowMs), before: null }));
    if (nowMs - kept.now.fromMs >= RENEW_MS) {
      this.#entries -= kept.before?.entries.length ?? 0;
      kept.before = finish(kept.now, nowMs);
      kept.now = newReservoir(nowMs);
    }
    const { now } = kept;
    now.met += 1;
    const isRoom = now.entries.length < SAMPLE_MAX && this.#entries < SAMPLES_OF_ALL_MAX;
    const place = isRoom ? now.entries.length : Math.floor(this.#deps.random() * now.met);
    if (!isRoom && place >= now.entries.length) return;
    if (isRoom) this.#entries += 1;
    now.entries[place] = { atMs: nowMs, opportunity: { ...opportunity, userHash: '' } };
    this.#changed.add(workspaceId);
  }

  /** Writes what changed. Never rejects. */
  async write(): Promise<void> {
    const changed = this.#changed;
    this.#changed = new Set();
    try {
      if (changed.size > 0) await mkdir(this.#deps.dir, { recursive: true, mode: 0o700 });
      for (const workspaceId of changed) {
        const kept = this.#kept.get(workspaceId);
        if (kept === undefined) continue;
        const samples = [finish(kept.now, this.#deps.nowMs()), ...(kept.before === null ? [] : [kept.before])];
        const file = join(this.#deps.dir, `${workspaceId}-${this.#deps.slot}.json`);
        const text = writeOpportunityJson({ version: VERSION, samples });
        await writeFile(`${file}.new`, text, { mode: 0o600 });
        await rename(`${file}.new`, file);
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the sample of opportunities could not be written');
    }
  }
}

function newReservoir(fromMs: number): Reservoir {
  return { fromMs, met: 0, entries: [] };
}

function finish({ fromMs, met, entries }: Reservoir, untilMs: number): OpportunitySample {
  return { fromMs, untilMs, met, entries: [...entries] };
}

/** The samples of a workspace, for each worker of this machine one or two that follow each other. What cannot be read is left out. */
export async function readSamples(dir: string, workspaceId: number): Promise<OpportunitySample[][]> {
  const names = await readdir(dir).catch(() => []);
  const own = names.filter((name) => name.startsWith(`${workspaceId}-`) && name.endsWith('.json'));
  const found = await Promise.all(
    own.map(async (name): Promise<OpportunitySample[]> => {
      try {
        const text = await readFile(join(dir, name), 'utf8');
        const stored = readOpportunityJson(text) as { version: number; samples: OpportunitySample[] };
        return stored.version === VERSION ? stored.samples : [];
      } catch {
        return [];
      }
    }),
  );
  return found.filter((samples) => samples.length > 0);
}
