/** A page of a list whose objects are in the order of their ids, or are found by the last one of the page before. */
export interface ListPage {
  readonly limit: number;
  /** The id of the last object of the page before; null: the page is the first. */
  readonly after: bigint | null;
}

/** The page of a caller that asks for none. */
export const WHOLE_LIST: ListPage = { limit: 10_000, after: null };
