import { PlacardError } from '../errors.ts';
import { plainIdOf } from './global-ids.ts';
import { isDecimalId } from './ids.ts';

/** A page of a list whose objects are in the order of their ids, or are found by the last one of the page before. */
export interface ListPage {
  readonly limit: number;
  /** The id of the last object of the page before; null: the page is the first. */
  readonly after: bigint | null;
}

/** The page of a caller that asks for none. */
export const WHOLE_LIST: ListPage = { limit: 10_000, after: null };

/** Most objects of a page of keys, credentials and users, and as many as a page has without `first`. */
export const LIST_PAGE_MAX = 1_000;

/** The description of the argument `first`. */
export const firstText = (sizeMax: number, usual = sizeMax): string =>
  `How many, 1…${sizeMax}; default ${usual}. A full page may have more behind it.`;

/** The description of the argument `after`. */
export const AFTER_TEXT = 'The id of the last one of the page before.';

/**
 * Reads the arguments `first` and `after` of a list.
 * @param type of its objects
 * @throws PlacardError `invalid_request`
 */
export function readListPage(
  type: string,
  given: { readonly first?: number | null | undefined; readonly after?: string | number | null | undefined },
  { sizeMax, usual = sizeMax }: { readonly sizeMax: number; readonly usual?: number },
): ListPage {
  const limit = given.first ?? usual;
  if (limit < 1 || limit > sizeMax) throw new PlacardError('invalid_request', `first must be 1 to ${sizeMax}.`);
  if (given.after === null || given.after === undefined) return { limit, after: null };
  const id = plainIdOf(type, given.after);
  if (!isDecimalId(id)) throw new PlacardError('invalid_request', 'after must be the id of an object of the list.');
  return { limit, after: BigInt(id) };
}
