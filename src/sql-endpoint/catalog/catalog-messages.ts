/** What a thread begins with. */
export interface CatalogStart {
  /** The files of an empty database; null: the thread makes them, and sends them. */
  readonly image: Uint8Array | null;
  /** SQL that fills it. */
  readonly statements: string;
}

/** Messages of PostgreSQL's protocol for one statement. */
export interface CatalogJob {
  readonly request: Uint8Array;
  /** Of the response. */
  readonly bytesMax: number;
}

/** What a thread sends. */
export type CatalogWorkerMessage =
  | { readonly kind: 'image'; readonly image: Uint8Array }
  | { readonly kind: 'ready' }
  /** Null: the response is too large. */
  | { readonly kind: 'response'; readonly response: Uint8Array | null }
  | { readonly kind: 'failure'; readonly text: string };
