import { PlacardError } from '../domain/errors.ts';

/** The error for a bucket that cannot be reached. */
export function unreachable(cause: unknown): PlacardError {
  return new PlacardError('unavailable', 'The bucket of files cannot be reached; retry shortly.', { cause });
}

/** The error for an unexpected response of a bucket. @param what its status, or what is wrong */
export function refused(what: number | string): PlacardError {
  const cause = new Error(typeof what === 'number' ? `The bucket responded with status ${what}` : what);
  return new PlacardError('unavailable', 'The bucket of files does not respond as it should; retry shortly.', {
    cause,
  });
}
