import { PlacardError } from '../domain/errors.ts';

/** What is thrown when a bucket cannot be reached. */
export function unreachable(cause: unknown): PlacardError {
  return new PlacardError('unavailable', 'The bucket of files cannot be reached; retry shortly.', { cause });
}

/** What is thrown when a bucket answers otherwise than it should. @param what its status, or what is wrong */
export function refused(what: number | string): PlacardError {
  const cause = new Error(typeof what === 'number' ? `The bucket answered ${what}` : what);
  return new PlacardError('unavailable', 'The bucket of files does not answer as it should; retry shortly.', { cause });
}
