import { expect, test } from 'vitest';
import { ResponsePieces } from './response-pieces.ts';

test('a response is the pieces as they were when they came', () => {
  const pieces = new ResponsePieces(4);
  const memory = Uint8Array.of(1, 2, 3);
  pieces.add(memory.subarray(0, 2));
  memory.fill(9);
  pieces.add(Uint8Array.of(3, 4));
  expect(pieces.join()).toEqual(Uint8Array.of(1, 2, 3, 4));
});

test('a response that is too large holds no memory while the rest of it comes', () => {
  const pieces = new ResponsePieces(1_000);
  let most = 0;
  for (let piece = 0; piece < 100; piece += 1) {
    pieces.add(new Uint8Array(300));
    most = Math.max(most, pieces.bytes);
  }
  expect([most, pieces.bytes, pieces.join()]).toEqual([900, 0, null]);
});
