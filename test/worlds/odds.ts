import fc from 'fast-check';

/** Mostly `usual`, sometimes one of the others: too many odd values would leave nothing to decide. */
export function mostly<T>(usual: T, ...others: T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 30, arbitrary: fc.constant(usual) },
    { weight: others.length, arbitrary: fc.constantFrom(...others) },
  );
}

/** `usual`, except in one of thirty. */
export function rarelyNot<T>(usual: T, other: T): fc.Arbitrary<T> {
  return fc.oneof({ weight: 29, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(other) });
}

/** Null, except in one of twenty. */
export function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 19, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}
