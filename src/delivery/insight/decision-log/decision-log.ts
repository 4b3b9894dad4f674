import type { Log } from '../../../domain/log/log.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import type { Decision } from '../../decision/decision.ts';
import { DecisionLogFiles } from './decision-log-files.ts';
import { toDecisionOutcome, RecordingState } from './decision-tape.ts';
import type { AskedState, DecisionOutcome, TapeEntry } from './decision-tape.ts';
import type { Opportunity } from '../../../domain/requests/opportunity.ts';
import { writeOpportunityJson } from '../../traffic/opportunity-json.ts';

/** Stands for the user in the log: who it was cannot be told, nor that two decisions were for the same one. */
const SOME_USER = '5e1ec7ed5e1ec7ed';
const FLUSH_MS = 1_000;
/** A workspace's snapshot is kept at most so often, and so that it takes a fiftieth of a worker's time. */
const VERSION_EVERY_MS = 2_000;
const VERSION_TIME_SHARE = 1 / 50;
/** What could not be kept is tried again after this. */
const VERSION_RETRY_MS = 60_000;
/** A decision that asked for more than this is not logged. */
const TAPE_MAX = 20_000;
/** What waits to be written, in characters; what comes beyond is left out. */
const QUEUE_MAX = 8 * 1_024 * 1_024;
/** Workspaces that are followed at once. */
const WORKSPACES_MAX = 10_000;

/** One decision as the log holds it, one JSON object a line (`writeOpportunityJson`). */
export interface DecisionRecord {
  /** The name of the snapshot that was decided on. */
  readonly snapshot: string;
  readonly workspaceId: number;
  readonly atMs: number;
  /** The user's hash is replaced by a constant; so it is in `tape`. */
  readonly opportunity: Opportunity;
  readonly tape: readonly TapeEntry[];
  readonly answer: DecisionOutcome;
}

/** How decisions are logged. */
export interface DecisionLogOptions {
  /** Folder of segments and snapshots; shared by the workers of a machine. */
  readonly dir: string;
  readonly workerIndex: number;
  /** At most so many decisions a second of each workspace, 0…1_000. 0: none; what was logged before still goes in time. */
  readonly perSecond: number;
  readonly retentionMs: number;
  /** For all workers of the machine together. */
  readonly bytesMax: number;
  readonly nowMs: () => number;
  readonly log: Log;
}

interface Followed {
  nextAtMs: number;
  /** The version that decisions are logged on; null: none, the next one is kept when `renewAtMs` has come. */
  compiled: CompiledWorkspace | null;
  version: Promise<string | null>;
  renewAtMs: number;
}

/**
 * Writes down a sample of decisions with all that they went by, so that they can be made again bit by bit. Only decisions on a kept
 * snapshot are sampled: after a booking change those on the new one, from the moment when it is its turn to be kept.
 */
export class DecisionLog {
  readonly #options: DecisionLogOptions;
  readonly #files: DecisionLogFiles;
  readonly #workspaces = new Map<number, Followed>();
  #queue: { version: Promise<string | null>; text: string }[] = [];
  #queued = 0;
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> = Promise.resolve();

  constructor(options: DecisionLogOptions) {
    this.#options = options;
    this.#files = new DecisionLogFiles(options);
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#flushing = this.#flushing.then(() => this.flush());
    }, FLUSH_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#flushing;
    await this.flush();
  }

  /** A recording, when this decision is one to be logged; null for almost all. */
  open(compiled: CompiledWorkspace, opportunity: Opportunity, nowMs: number): DecisionRecording | null {
    if (this.#options.perSecond === 0) return null;
    const { workspaceId } = opportunity;
    const followed = this.#follow(workspaceId);
    if (nowMs < followed.nextAtMs || this.#queued >= QUEUE_MAX) return null;
    if (followed.compiled !== compiled) {
      followed.compiled = null;
      if (nowMs < followed.renewAtMs) return null;
      followed.compiled = compiled;
      followed.version = this.#saveSnapshot(followed, compiled);
    }
    followed.nextAtMs = nowMs + 1_000 / this.#options.perSecond;
    const { version } = followed;
    return new DecisionRecording(opportunity, nowMs, (text) => {
      this.#queue.push({ version, text });
      this.#queued += text.length;
    });
  }

  /** Writes what waits. Never rejects. */
  async flush(): Promise<void> {
    const { log } = this.#options;
    const taken = this.#queue;
    this.#queue = [];
    this.#queued = 0;
    try {
      const lines: string[] = [];
      const versions = new Set<string>();
      for (const { version, text } of taken) {
        const name = await version;
        if (name === null) continue;
        versions.add(name);
        lines.push(`{"snapshot":"${name}",${text.slice(1)}`);
      }
      if (await this.#files.append(lines, versions)) return;
      // A snapshot is gone: it is kept anew for what comes.
      for (const followed of this.#workspaces.values()) followed.compiled = null;
    } catch (error) {
      log.event('decision_log.write_failed', { err: error, records: taken.length });
    }
  }

  #follow(workspaceId: number): Followed {
    let followed = this.#workspaces.get(workspaceId);
    if (followed === undefined) {
      if (this.#workspaces.size >= WORKSPACES_MAX) this.#workspaces.clear();
      followed = { nextAtMs: 0, compiled: null, version: Promise.resolve(null), renewAtMs: 0 };
      this.#workspaces.set(workspaceId, followed);
    }
    return followed;
  }

  async #saveSnapshot(followed: Followed, { snapshot }: CompiledWorkspace): Promise<string | null> {
    const { nowMs, log } = this.#options;
    followed.renewAtMs = Number.POSITIVE_INFINITY;
    const startedMs = performance.now();
    let name: string | null = null;
    try {
      name = await this.#files.saveSnapshot(snapshot);
    } catch (error) {
      log.event('decision_log.snapshot_not_saved', { err: error });
    }
    // Without changes there is no other version that would be kept in its place.
    if (name === null) followed.compiled = null;
    const waitMs = Math.max(
      name === null ? VERSION_RETRY_MS : VERSION_EVERY_MS,
      (performance.now() - startedMs) / VERSION_TIME_SHARE,
    );
    followed.renewAtMs = nowMs() + waitMs;
    return name;
  }
}

/** One decision that is being recorded; it may be made several times before it stands. */
export class DecisionRecording {
  readonly #opportunity: Opportunity;
  readonly #nowMs: number;
  readonly #write: (text: string) => void;
  #state: RecordingState | null = null;

  constructor(opportunity: Opportunity, nowMs: number, write: (text: string) => void) {
    this.#opportunity = opportunity;
    this.#nowMs = nowMs;
    this.#write = write;
  }

  /** The state and the source of random numbers to decide with: they record what the decision asks for. Forgets any earlier attempt. */
  begin(state: AskedState, random: () => number): RecordingState {
    this.#state = new RecordingState(state, random);
    return this.#state;
  }

  /** Logs the decision that was made on the state of the last `begin`. */
  finish(decision: Decision): void {
    const tape = this.#state?.tape;
    if (tape === undefined || tape.length > TAPE_MAX) return;
    const opportunity = this.#opportunity;
    const text = writeOpportunityJson({
      workspaceId: opportunity.workspaceId,
      atMs: this.#nowMs,
      opportunity,
      tape,
      answer: toDecisionOutcome(decision),
    });
    const { userHash } = opportunity;
    this.#write(userHash === '' ? text : text.replaceAll(userHash, SOME_USER));
  }
}
