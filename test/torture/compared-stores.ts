/** The stores that are compared. */
export interface ComparedStores {
  /** One for each node. */
  readonly spoolDirs: readonly string[];
  readonly clickhouseUrl: string;
  /** Where the owner of the machine's hot store listens. */
  readonly hotSocket: string;
  /** null: the machine has a hot store of its own. */
  readonly redisUrl: string | null;
  /** Longest that the spools may take to drain. */
  readonly backlogWaitMs: number;
}
