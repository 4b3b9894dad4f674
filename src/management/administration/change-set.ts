import { PlacardError } from '../../domain/errors.ts';

/** The request header that names the change of many objects that a request is a part of. */
export const CHANGE_SET_HEADER = 'x-placard-change-set';

const NAME = /^[\x21-\x7e]{1,64}$/;

/** The change set that a request names; null: none. @throws PlacardError `invalid_request` for one that is not a name */
export function changeSetOfHeader(given: string | readonly string[] | undefined): string | null {
  if (given === undefined) return null;
  if (typeof given === 'string' && NAME.test(given)) return given;
  const message = 'X-Placard-Change-Set takes one name of 1 to 64 printable ASCII characters without spaces.';
  throw new PlacardError('invalid_request', message);
}

export const CHANGE_SET_TEXT =
  'The change of many objects that it is a part of: the value of the header `X-Placard-Change-Set` of its request; null: it stands alone.';
export const CHANGE_SET_SIZE_TEXT =
  'How many changes of objects of this kind its change set has by the same actor; 1 where it stands alone.';
export const FOLD_TEXT =
  'Of each change set, only the newest change of each kind of objects and actor; `changeSetSize` says how many there are.';

/** A read that several fields share: it is made at its first use. */
export function once<T>(read: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= read());
}
