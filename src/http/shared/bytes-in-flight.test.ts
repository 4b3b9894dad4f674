import { expect, test } from 'vitest';
import { BytesInFlight } from './bytes-in-flight.ts';

test('bytes are bounded by owner and in all until they are released', () => {
  const inFlight = new BytesInFlight({ ofOwnerMax: 10, totalMax: 15 });
  const release = inFlight.reserve('1', 8);
  expect(() => inFlight.reserve('1', 3)).toThrow(expect.objectContaining({ code: 'overloaded' }));
  inFlight.reserve('2', 7);
  expect(() => inFlight.reserve('3', 1)).toThrow(expect.objectContaining({ code: 'overloaded' }));
  release();
  release();
  expect(inFlight.total).toBe(7);
  inFlight.reserve('1', 8);
});

test('bytes that tell of something that happened are counted over a limit, too', () => {
  const inFlight = new BytesInFlight({ ofOwnerMax: 10, totalMax: 10 });
  const release = inFlight.reserve('1', 30, true);
  expect(() => inFlight.reserve('2', 1)).toThrow(expect.objectContaining({ code: 'overloaded' }));
  release();
  expect(inFlight.total).toBe(0);
});
