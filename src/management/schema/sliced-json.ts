import { QUERY_LIMITS, tooComplex } from '../kernel/query-limits.ts';

/** Pieces of text that are written between two checks of the clock. */
const PIECES_PER_TURN = 200;

/**
 * JSON text of a result, written piece by piece so that a large one does not keep the process from other work. `turn` is called now
 * and then: undefined = go on, a promise = wait for it.
 *
 * @throws PlacardError `query_too_complex` when the text becomes too long
 */
export async function writeJson(value: unknown, turn: () => Promise<void> | undefined): Promise<string> {
  const pieces: string[] = [];
  let characters = 0;
  let sinceTurn = 0;
  const add = (piece: string): void => {
    pieces.push(piece);
    characters += piece.length;
    sinceTurn += 1;
    if (characters > QUERY_LIMITS.responseCharactersMax)
      throw tooComplex('response characters', QUERY_LIMITS.responseCharactersMax);
  };
  const write = async (one: object): Promise<void> => {
    const isList = Array.isArray(one);
    let separator = isList ? '[' : '{';
    for (const [name, member] of Object.entries(one)) {
      if (member === undefined && !isList) continue;
      if (sinceTurn >= PIECES_PER_TURN) {
        sinceTurn = 0;
        await turn();
      }
      add(isList ? separator : `${separator}${JSON.stringify(name)}:`);
      separator = ',';
      if (isFlat(member)) add(JSON.stringify(member) ?? 'null');
      else await write(member as object);
    }
    add(separator === ',' ? (isList ? ']' : '}') : isList ? '[]' : '{}');
  };
  if (isFlat(value)) add(JSON.stringify(value) ?? 'null');
  else await write(value as object);
  return pieces.join('');
}

/** Whether a value holds no objects: the engine's own writer is quickest with those. */
function isFlat(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return true;
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === 'object' && member !== null) return false;
  }
  return true;
}
