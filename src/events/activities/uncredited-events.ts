import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../domain/log/log.ts';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import type { CreateDiskFile } from '../../storage/disk-file.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { CopiedPart, SpoolCopies } from '../../storage/copies/spool-copies.ts';
import { eventKey } from '../recording/recorder.ts';
import type { InvalidReason } from '../recording/event-rows.ts';
import { letterOf, lostEnd, readCounted } from '../spool/count-spool-file.ts';
import type { DeadLetters } from '../spool/dead-letters.ts';
import { countedName } from '../spool/event-lines.ts';
import { decodeSpoolLine, encodeSpoolLine, readEntries } from '../spool/spool-line.ts';
import { listSpoolFiles, listWorkerIndexes, recoverOpenFiles } from '../spool/spool-files.ts';
import type { SpoolFile } from '../spool/spool-files.ts';
import { openSpool } from '../spool/spool.ts';
import type { Spool } from '../spool/spool.ts';
import { sumUp } from '../shipping/machine-batches.ts';
import type { ShipBacklog } from '../shipping/machine-batches.ts';
import type { UncreditedSink } from './activity-recorder.ts';
import type { AcceptedEvent, RecordedActivity } from './credit-event.ts';

/** Folder of the spool that holds events which wait to be credited, in a folder for each worker. */
export const UNCREDITED_FOLDER = 'uncredited';

const FIRST_MS = 250;
const EVERY_MS = 500;
const RETRY_MS = 2_000;
/** Events that are credited at the same time. */
const AT_ONCE = 32;

/** Dependencies of {@link UncreditedEvents}. */
export interface UncreditedDeps {
  readonly spoolDir: string;
  /** Worker 0 also credits the events of worker indexes that no longer have a worker. */
  readonly workerIndex: number;
  readonly workers: number;
  readonly hot: Pick<HotStore, 'isCounted'>;
  readonly credit: (event: AcceptedEvent) => Promise<RecordedActivity>;
  readonly deadLetters: DeadLetters;
  readonly nowMs: () => number;
  readonly log: Log;
  /** Also hold each event before it is acknowledged. */
  readonly copies?: SpoolCopies | undefined;
  /** For tests: files that fail. */
  readonly createFile?: CreateDiskFile;
}

/**
 * Acknowledged activity events that could not be credited when they came, in files like those of the spool. A job credits them, tries again
 * until it can, and then deletes their file. An event keeps its id, so one that a killed worker had credited already counts once.
 */
export class UncreditedEvents extends RecurringJob implements UncreditedSink {
  readonly #deps: UncreditedDeps;
  readonly #spool: Spool;
  #added = 0;
  #isFailureLogged = false;

  constructor(deps: UncreditedDeps) {
    super({ firstMs: FIRST_MS, everyMs: EVERY_MS, retryMs: RETRY_MS });
    this.#deps = deps;
    const { workerIndex, deadLetters, nowMs, log, createFile, copies } = deps;
    const dir = join(deps.spoolDir, UNCREDITED_FOLDER, `w${workerIndex}`);
    const files = createFile === undefined ? {} : { createFile };
    const named = copies && { append: (part: CopiedPart) => copies.append({ ...part, file: copyName(part.file) }) };
    this.#spool = openSpool({ dir, workerIndex, nowMs, log, deadLetters, copies: named, ...files });
    for (const orphan of this.#dirs.slice(1)) recoverOpenFiles(orphan, (found) => deadLetters.recordTornEnd(found));
  }

  /** Its own first. Files of other machines may be taken over into further ones at any time. */
  get #dirs(): readonly string[] {
    const { spoolDir, workerIndex, workers } = this.#deps;
    const parent = join(spoolDir, UNCREDITED_FOLDER);
    const orphans = workerIndex === 0 ? listWorkerIndexes(parent).filter((index) => index >= workers) : [];
    return [workerIndex, ...orphans].map((index) => join(parent, `w${index}`));
  }

  async add(event: AcceptedEvent): Promise<void> {
    await this.#spool.append(encodeSpoolLine(toStored(event), null));
    this.#added += 1;
  }

  /** Events that were added since the start. */
  get added(): number {
    return this.#added;
  }

  /** What waits to be credited. */
  backlog(): ShipBacklog {
    return sumUp(this.#dirs.flatMap(listSpoolFiles));
  }

  /** Credits what can be credited now. @throws what the first event threw that could not be credited */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    const sealed = this.#dirs.flatMap(listSpoolFiles).filter(({ state }) => state === 'sealed');
    for (const file of sealed) if (!this.isStopped) failures.push(...(await this.#creditFile(file)));
    if (failures.length > 0) throw failures[0];
    this.#isFailureLogged = false;
  }

  /** Takes no further event; what waits is credited after the next start. */
  override async stop(): Promise<void> {
    await super.stop();
    await this.#spool.close();
  }

  protected logFailure(error: unknown): void {
    if (this.#isFailureLogged) return;
    this.#isFailureLogged = true;
    const { files, bytes } = this.backlog();
    this.#deps.log.event('activity.credited_later', { err: error, files, bytes });
  }

  /** @returns why events of the file were not credited; none: the file is deleted */
  async #creditFile(file: SpoolFile): Promise<unknown[]> {
    const { copies } = this.#deps;
    const name = copyName(countedName(file));
    if ((await copies?.findLost([name]))?.has(name) === true) {
      await unlink(file.path);
      return [];
    }
    const bytes = await readCounted(file);
    const entries = readEntries(bytes);
    const events: AcceptedEvent[] = [];
    const letters = lostEnd(file, bytes);
    for (const entry of entries) {
      const line = entry.isWhole ? decodeSpoolLine(entry.bytes.toString('utf8')) : null;
      if (line === null) letters.push(letterOf('damaged', entry));
      else events.push(fromStored(JSON.parse(line.row) as StoredEvent));
    }
    this.#deps.deadLetters.record(
      { file: `${UNCREDITED_FOLDER}/${file.folder}/${file.fileId}`, step: 'credit' },
      letters,
    );
    const failures: unknown[] = [];
    for (let start = 0; start < events.length; start += AT_ONCE) {
      if (this.isStopped) return failures;
      const ends = await Promise.allSettled(events.slice(start, start + AT_ONCE).map((event) => this.#credit(event)));
      for (const end of ends) if (end.status === 'rejected') failures.push(end.reason);
      // What one event waits for, the others wait for, too.
      if (failures.length > AT_ONCE) return failures;
    }
    if (failures.length > 0) return failures;
    await copies?.drop([name]);
    await unlink(file.path);
    return failures;
  }

  async #credit(event: AcceptedEvent): Promise<void> {
    if (await this.#deps.hot.isCounted(eventKey(event.eventId))) return;
    await this.#deps.credit(event);
  }
}

function copyName(file: string): string {
  return `${UNCREDITED_FOLDER}/${file}`;
}

/** The files of events that wait to be credited, of all workers. */
export function listUncreditedFiles(spoolDir: string): SpoolFile[] {
  const parent = join(spoolDir, UNCREDITED_FOLDER);
  return listWorkerIndexes(parent).flatMap((index) => listSpoolFiles(join(parent, `w${index}`)));
}

/** An event as its line holds it. */
type StoredEvent = Omit<AcceptedEvent, 'input' | 'userHash' | 'reason'> & {
  readonly input: Omit<AcceptedEvent['input'], 'costMicros' | 'taxMicros'> & {
    readonly costMicros: string;
    readonly taxMicros: string;
  };
  /** Named as the column, which dead letters clear. */
  readonly user_hash: string;
  readonly reason: InvalidReason;
};

function toStored({ userHash, input, ...event }: AcceptedEvent): StoredEvent {
  const amounts = { costMicros: input.costMicros.toString(), taxMicros: input.taxMicros.toString() };
  return { ...event, user_hash: userHash, input: { ...input, ...amounts } };
}

function fromStored({ user_hash: userHash, input, ...event }: StoredEvent): AcceptedEvent {
  const amounts = { costMicros: BigInt(input.costMicros), taxMicros: BigInt(input.taxMicros) };
  return { ...event, userHash, input: { ...input, ...amounts } };
}
