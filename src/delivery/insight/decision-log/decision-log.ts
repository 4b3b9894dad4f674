import type { DecidedArm } from '../../../domain/experiments/experiment.ts';
import type { Log } from '../../../domain/log/log.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import type { Decision } from '../../decision/decision.ts';
import type { Draw } from '../../decision/draws/quota-draws.ts';
import { DecisionLogFiles } from './decision-log-files.ts';
import { toDecisionOutcome, RecordingState } from './decision-tape.ts';
import type { AskedState, DecisionOutcome, TapeEntry } from './decision-tape.ts';
import type { Opportunity } from '../../../domain/requests/opportunity.ts';
import { writeOpportunityJson } from '../../traffic/opportunity-json.ts';

/** Replaces the user in the log, so that it shows neither the user nor that two decisions were for the same one. */
const SOME_USER = '5e1ec7ed5e1ec7ed';
const SOME_HOUSEHOLD = '5e1ec7ed0005e000';
const FLUSH_MS = 1_000;
/** A workspace's snapshot is stored at most this often, and takes at most a fiftieth of a worker's time. */
const VERSION_EVERY_MS = 2_000;
const VERSION_TIME_SHARE = 1 / 50;
/** A snapshot that could not be stored is tried again after this time. */
const VERSION_RETRY_MS = 60_000;
/** A decision with more queries than this is not logged. */
const TAPE_MAX = 20_000;
/** Most characters that wait to be written; further records are left out. */
const QUEUE_MAX = 8 * 1_024 * 1_024;
/** Most workspaces that are followed at a time. */
const WORKSPACES_MAX = 10_000;

/** Longest id of a request that is logged, in characters. */
export const REQUEST_ID_CHARS_MAX = 128;

/** One decision as the log holds it, one JSON object a line (`writeOpportunityJson`). */
export interface DecisionRecord {
  /** The name of the snapshot of the decision. */
  readonly snapshot: string;
  readonly workspaceId: number;
  readonly atMs: number;
  /** The id that the caller gave the request, cut to `REQUEST_ID_CHARS_MAX`; absent in logs of earlier versions. */
  readonly requestId?: string;
  /** Absent: no experiment ran. */
  readonly arm?: DecidedArm;
  /** A constant replaces the user's hash, also in `tape`. */
  readonly opportunity: Opportunity;
  readonly tape: readonly TapeEntry[];
  readonly answer: DecisionOutcome;
}

/** Settings of the decision log. */
export interface DecisionLogOptions {
  /** Folder of log files and snapshots; shared by the workers of a machine. */
  readonly dir: string;
  readonly workerIndex: number;
  /** Most decisions per second of each workspace at present, 0…1_000. 0: none; older files still expire. */
  readonly perSecond: () => number;
  readonly retentionMs: number;
  /** For all workers of the machine together. */
  readonly bytesMax: number;
  readonly nowMs: () => number;
  readonly log: Log;
}

interface Followed {
  nextAtMs: number;
  /** The version that decisions are logged on; null: none, the next one is stored after `renewAtMs`. */
  compiled: CompiledWorkspace | null;
  version: Promise<string | null>;
  renewAtMs: number;
  /** The last decision that the log and the diagnosis both wanted was left to the diagnosis. */
  hasYielded: boolean;
}

/**
 * Logs a sample of decisions with all their inputs, so that a replay can repeat them bit by bit. Samples only decisions on a stored
 * snapshot: after a booking change, decisions on the new snapshot as soon as it is due to be stored.
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

  /**
   * A recording when this decision is in the sample; null for almost all. An explained decision cannot be logged: where the diagnosis
   * wants the same ones (`isContested`), the log takes every second, so that neither starves in quiet traffic.
   */
  open(
    compiled: CompiledWorkspace,
    opportunity: Opportunity,
    nowMs: number,
    isContested: boolean,
  ): DecisionRecording | null {
    const perSecond = this.#options.perSecond();
    if (perSecond === 0) return null;
    const { workspaceId } = opportunity;
    const followed = this.#follow(workspaceId);
    if (nowMs < followed.nextAtMs || this.#queued >= QUEUE_MAX) return null;
    if (isContested && !followed.hasYielded) {
      followed.hasYielded = true;
      return null;
    }
    if (followed.compiled !== compiled) {
      followed.compiled = null;
      if (nowMs < followed.renewAtMs) return null;
      followed.compiled = compiled;
      followed.version = this.#saveSnapshot(followed, compiled);
    }
    followed.hasYielded = false;
    followed.nextAtMs = nowMs + 1_000 / perSecond;
    const { version } = followed;
    return new DecisionRecording(opportunity, nowMs, (text) => {
      this.#queue.push({ version, text });
      this.#queued += text.length;
    });
  }

  /** Writes the waiting records. Never rejects. */
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
      // A snapshot is gone: it is stored again for the next records.
      for (const followed of this.#workspaces.values()) followed.compiled = null;
    } catch (error) {
      log.event('decision_log.write_failed', { err: error, records: taken.length });
    }
  }

  #follow(workspaceId: number): Followed {
    let followed = this.#workspaces.get(workspaceId);
    if (followed === undefined) {
      if (this.#workspaces.size >= WORKSPACES_MAX) this.#workspaces.clear();
      followed = { nextAtMs: 0, compiled: null, version: Promise.resolve(null), renewAtMs: 0, hasYielded: false };
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
    // Without changes there is no other version to store in its place.
    if (name === null) followed.compiled = null;
    const waitMs = Math.max(
      name === null ? VERSION_RETRY_MS : VERSION_EVERY_MS,
      (performance.now() - startedMs) / VERSION_TIME_SHARE,
    );
    followed.renewAtMs = nowMs() + waitMs;
    return name;
  }
}

/** The recording of one decision, which may take several attempts. */
export class DecisionRecording {
  readonly #opportunity: Opportunity;
  readonly #nowMs: number;
  readonly #write: (text: string) => void;
  #state: RecordingState | null = null;
  #requestId = '';
  #arm: DecidedArm | null = null;

  constructor(opportunity: Opportunity, nowMs: number, write: (text: string) => void) {
    this.#opportunity = opportunity;
    this.#nowMs = nowMs;
    this.#write = write;
  }

  /** The state and the source of random numbers to decide with: they record the queries of the decision. Drops any earlier attempt. */
  begin(state: AskedState, random: Draw): RecordingState {
    this.#state = new RecordingState(state, random);
    return this.#state;
  }

  /** Records the id that the caller gave the request. */
  nameRequest(requestId: string): void {
    this.#requestId = requestId.slice(0, REQUEST_ID_CHARS_MAX);
  }

  /** Records the arm of the decision; null = no experiment runs. */
  nameArm(arm: DecidedArm | null): void {
    this.#arm = arm;
  }

  /** Logs the decision that was made on the state of the last `begin`. */
  finish(decision: Decision): void {
    const tape = this.#state?.tape;
    if (tape === undefined || tape.length > TAPE_MAX) return;
    const opportunity = this.#opportunity;
    const text = writeOpportunityJson({
      workspaceId: opportunity.workspaceId,
      atMs: this.#nowMs,
      ...(this.#requestId === '' ? {} : { requestId: this.#requestId }),
      ...(this.#arm === null ? {} : { arm: this.#arm }),
      opportunity,
      tape,
      answer: toDecisionOutcome(decision),
    });
    const { userHash, householdHash = '' } = opportunity;
    const withoutUser = userHash === '' ? text : text.replaceAll(userHash, SOME_USER);
    this.#write(householdHash === '' ? withoutUser : withoutUser.replaceAll(householdHash, SOME_HOUSEHOLD));
  }
}
