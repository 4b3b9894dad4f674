/**
 * The lines of a text that comes in pieces, without their ends; the last one may have none. Fails when the pieces do: an interface of
 * node:readline would wait for ever.
 */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let open: string[] = [];
  for await (const piece of pieces) {
    const [first = '', ...others] = piece.split('\n');
    open.push(first);
    for (const next of others) {
      yield open.join('');
      open = [next];
    }
  }
  const last = open.join('');
  if (last !== '') yield last;
}
