import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../domain/log/log.ts';
import type { QuotaLedger } from './quota-ledger.ts';

const FOLDER = 'access';
const SLOT_BYTES = 512;
/** Most quotas of one process in the journal; further ones lose their lease when the process is killed. */
const SLOTS_MAX = 10_000;
/** Most files of killed processes that one start reads. */
const FILES_MAX = 50;
const COUNTER_TTL_MS = 3 * 86_400_000;

/** The journal entry of one quota, in units. */
export interface HeldUnits {
  /** The ledger's counters of the quota's day: units taken, and units used. */
  readonly takenKey: string;
  readonly usedKey: string;
  /** Taken by this process and not reported as used, before what is being sent. */
  readonly held: number;
  /** At least this many of them admitted no request. */
  readonly unused: number;
  readonly writer: string;
  /** An addition that the ledger has not confirmed. */
  readonly sent: { readonly number: number; readonly taken: number; readonly used: number } | null;
}

/** The slot of one quota in the journal. */
export interface LeaseSlot {
  write(units: HeldUnits): void;
  /** The process holds nothing any more. */
  free(): void;
}

/**
 * Leases of one process, in a file that survives its kill: the next process of the same name gives back what was not used. It is written
 * without syncing: after a crash of the machine it is ignored, and the held units are lost for their day.
 */
export class LeaseJournal {
  readonly #folder: string;
  readonly #processName: string;
  readonly #log: Log;
  readonly #path: string;
  #file: number | null = null;
  #slots = 0;
  #free: number[] = [];

  /** @param processName such as `core` or `delivery-0`: one process of a name runs at a time */
  constructor(dataDir: string, processName: string, log: Log) {
    this.#folder = join(dataDir, FOLDER);
    this.#processName = processName;
    this.#log = log;
    this.#path = join(this.#folder, `leases-${processName}.${randomBytes(6).toString('hex')}`);
  }

  /** Begins this process's own file. @throws as the file system */
  open(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#file = openSync(this.#path, 'wx+', 0o600);
    writeSync(this.#file, padded({ boot: bootId() }), 0);
  }

  /** A slot for one quota; null when the journal is full. */
  newSlot(): LeaseSlot | null {
    const at = this.#free.pop() ?? (this.#slots < SLOTS_MAX ? (this.#slots += 1) : null);
    if (at === null) return null;
    return {
      write: (units) => this.#write(at, units),
      free: () => {
        this.#write(at, null);
        this.#free.push(at);
      },
    };
  }

  /** Ends the file when everything was given back; else it stays for the next process. */
  close(): void {
    if (this.#file === null) return;
    closeSync(this.#file);
    this.#file = null;
    if (readHeld(this.#path)?.length === 0) rmSync(this.#path, { force: true });
  }

  /** Returns the leases of killed earlier processes of this name. What cannot be returned now is left for later. */
  async returnLeft(ledger: QuotaLedger, nowMs: number): Promise<void> {
    for (const path of this.#listLeft()) {
      const held = readHeld(path) ?? [];
      try {
        let units = 0;
        for (const one of held) units += await returnUnits(ledger, one, nowMs);
        rmSync(path, { force: true });
        if (units > 0) this.#log.event('limits.units_returned', { units });
      } catch (error) {
        this.#log.event('limits.units_not_returned', { err: error });
        return;
      }
    }
  }

  #listLeft(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => name.startsWith(`leases-${this.#processName}.`))
        .map((name) => join(this.#folder, name))
        .filter((path) => path !== this.#path)
        .slice(0, FILES_MAX);
    } catch {
      return [];
    }
  }

  #write(at: number, units: HeldUnits | null): void {
    if (this.#file === null) return;
    try {
      writeSync(this.#file, padded(units), 0, SLOT_BYTES, at * SLOT_BYTES);
    } catch (error) {
      // A full disk must not refuse requests. A kill then loses the leases until midnight.
      this.#log.event('limits.leases_not_written', { err: error });
      closeSync(this.#file);
      rmSync(this.#path, { force: true });
      this.#file = null;
    }
  }
}

/** Repeating it changes nothing: the ledger knows the heir of each writer. */
async function returnUnits(ledger: QuotaLedger, one: HeldUnits, nowMs: number): Promise<number> {
  if (!one.takenKey.endsWith(new Date(nowMs).toISOString().slice(0, 10))) return 0;
  const made =
    one.sent !== null && (await ledger.finishFor({ writer: one.writer, number: one.sent.number }, COUNTER_TTL_MS));
  const { taken, used } = made && one.sent !== null ? one.sent : { taken: 0, used: 0 };
  const unused = one.unused + taken;
  const lost = one.held + taken - used - unused;
  const heir = ledger.heirOf(one.writer, COUNTER_TTL_MS);
  try {
    const values = await ledger.withinTime(
      heir.add([
        { key: one.takenKey, by: BigInt(-unused), ttlMs: COUNTER_TTL_MS },
        { key: one.usedKey, by: BigInt(lost), ttlMs: COUNTER_TTL_MS },
      ]),
    );
    if (values === null) throw new Error('the hot store did not confirm it');
  } finally {
    heir.close();
  }
  return unused;
}

/** The content of a file; null when it is from another start of the machine or not a journal. */
function readHeld(path: string): HeldUnits[] | null {
  try {
    const [head, ...slots] = splitSlots(readFileSync(path, 'utf8'));
    const { boot } = JSON.parse(head ?? '{}') as { boot?: unknown };
    if (boot === '' || boot !== bootId()) return null;
    return slots.map((slot) => JSON.parse(slot) as HeldUnits | null).filter((one) => one !== null);
  } catch {
    return null;
  }
}

function splitSlots(text: string): string[] {
  const slots: string[] = [];
  for (let at = 0; at < text.length; at += SLOT_BYTES) {
    const slot = text.slice(at, at + SLOT_BYTES);
    // A slot that was reserved and never written is all zeros.
    slots.push(slot.startsWith('\0') ? 'null' : slot);
  }
  return slots;
}

function padded(value: unknown): Buffer {
  const bytes = Buffer.alloc(SLOT_BYTES, ' ');
  const text = JSON.stringify(value);
  if (text.length > SLOT_BYTES) throw new RangeError(`A lease takes at most ${SLOT_BYTES} bytes, not ${text.length}`);
  bytes.write(text, 'latin1');
  return bytes;
}

/** Names this start of the machine; empty where it has no name. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
