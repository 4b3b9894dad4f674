import { QUERY_LIMITS, tooComplex } from '../kernel/query-limits.ts';

/** Members of objects and lists that are written between two checks of the clock. */
const MEMBERS_PER_TURN = 400;
/** Members of a value that the engine's own writer writes at once: it is quickest. */
const MEMBERS_AT_ONCE = 1_000;

/** A list or object that is being written: its members from `next` on are still to come. */
interface Level {
  readonly isList: boolean;
  /** The names of an object's members; a list has none. */
  readonly names: readonly string[];
  readonly value: object;
  readonly length: number;
  next: number;
  isEmpty: boolean;
}

/**
 * JSON text of a result, written piece by piece so that a large one does not keep the process from other work. `turn` is called now
 * and then: undefined = go on, a promise = wait for it.
 *
 * @throws PlacardError `query_too_complex` when the text becomes too long
 */
export async function writeJson(value: unknown, turn: () => Promise<void> | undefined): Promise<string> {
  const writer = new JsonWriter();
  writer.write('', value);
  while (!writer.isDone) {
    writer.writeSlice();
    const wait = writer.isDone ? undefined : turn();
    if (wait !== undefined) await wait;
  }
  return writer.text;
}

class JsonWriter {
  readonly #levels: Level[] = [];
  text = '';

  get isDone(): boolean {
    return this.#levels.length === 0;
  }

  /** Writes a value at once, or opens it when it is large. */
  write(before: string, value: unknown): number {
    const members = countMembers(value, MEMBERS_AT_ONCE);
    if (members <= MEMBERS_AT_ONCE) {
      this.#add(before + (JSON.stringify(value) ?? 'null'));
      return members;
    }
    const isList = Array.isArray(value);
    const names = isList ? [] : Object.keys(value as object);
    const length = isList ? value.length : names.length;
    this.#add(before + (isList ? '[' : '{'));
    this.#levels.push({ isList, names, value: value as object, length, next: 0, isEmpty: true });
    return 1;
  }

  writeSlice(): void {
    let written = 0;
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      if (written >= MEMBERS_PER_TURN) return;
      written += level.next < level.length ? this.#writeMember(level) : this.#close(level);
    }
  }

  #writeMember(level: Level): number {
    const at = level.next;
    level.next += 1;
    const name = level.names[at] ?? '';
    const member = level.isList ? (level.value as unknown[])[at] : (level.value as Record<string, unknown>)[name];
    if (member === undefined && !level.isList) return 1;
    const separator = level.isEmpty ? '' : ',';
    level.isEmpty = false;
    return 1 + this.write(level.isList ? separator : `${separator}${JSON.stringify(name)}:`, member);
  }

  #close(level: Level): number {
    this.#add(level.isList ? ']' : '}');
    this.#levels.pop();
    return 1;
  }

  #add(piece: string): void {
    this.text += piece;
    if (this.text.length > QUERY_LIMITS.responseCharactersMax)
      throw tooComplex('response characters', QUERY_LIMITS.responseCharactersMax);
  }
}

/** The members in a value, with those of its members; counting ends above `max`. */
function countMembers(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return 0;
  let members = 0;
  for (const name in value) {
    members += 1 + countMembers((value as Record<string, unknown>)[name], max - members - 1);
    if (members > max) return members;
  }
  return members;
}
