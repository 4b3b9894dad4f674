import { type ByteTable, TABLE_PARTS } from './byte-table.ts';
import { COUNTER, LIST } from './entries.ts';

/** Share of a part's user entries that is forgotten at a time. */
const FORGOTTEN_SHARE = 4;
/** New entries until another look, after one that found no users. */
const PAUSE = 10_000;

/**
 * Bounds the memory of a table: beyond it, frequencies (`f/`) and touches (`tv/`, `tc/`) of users are forgotten, in each part of the table
 * those that would expire first. Claims, counters of deliveries and segments are never forgotten.
 */
export class UserBound {
  readonly #table: ByteTable;
  readonly #bytesMax: number;
  #part = 0;
  #pause = 0;
  #forgotten = 0;

  constructor(table: ByteTable, bytesMax: number) {
    this.#table = table;
    this.#bytesMax = bytesMax;
  }

  get forgotten(): number {
    return this.#forgotten;
  }

  /** Called before an entry is added. */
  makeSpace(): void {
    if (this.#table.usedBytes < this.#bytesMax) return;
    if (this.#pause > 0) {
      this.#pause -= 1;
      return;
    }
    const found = this.#forgetSome();
    this.#forgotten += found;
    this.#pause = found === 0 ? PAUSE : 0;
  }

  /** @returns how many entries were forgotten in the first parts that have entries of users, or of the whole table */
  #forgetSome(): number {
    for (let parts = 0; parts < TABLE_PARTS; parts += 1) {
      const users: { readonly position: number; readonly expiresAtMs: number }[] = [];
      this.#table.visitPart(this.#part, (position) => {
        if (isOfUser(this.#table.kindOf(position), this.#table.keyOf(position)))
          users.push({ position, expiresAtMs: this.#table.expiryOf(position) });
      });
      this.#part = (this.#part + 1) % TABLE_PARTS;
      if (users.length === 0) continue;
      users.sort((one, other) => one.expiresAtMs - other.expiresAtMs);
      const due = users.slice(0, Math.ceil(users.length / FORGOTTEN_SHARE));
      for (const { position } of due) this.#table.remove(position, false);
      return due.length;
    }
    return 0;
  }
}

function isOfUser(kind: number, key: string): boolean {
  if (kind === COUNTER) return key.startsWith('f/');
  return kind === LIST && (key.startsWith('tv/') || key.startsWith('tc/'));
}
