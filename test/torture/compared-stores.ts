/** The stores that are compared. */
export interface ComparedStores {
  /** One for each node. */
  readonly spoolDirs: readonly string[];
  readonly clickhouseUrl: string;
  /** Folder of the LMDB store. */
  readonly hotDir: string;
  /** null = LMDB. */
  readonly redisUrl: string | null;
  /** Longest that the spools may take to drain. */
  readonly backlogWaitMs: number;
}
