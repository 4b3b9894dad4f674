import type { ChangeFeed, ChangeNotice } from './change-feed.ts';

/** A listener for changes in PostgreSQL. `onReconnect`: anything may have been missed, read everything again. */
export interface ChangeListener {
  onChange(batch: readonly ChangeNotice[]): void;
  onReconnect(): void;
  /** The connection is lost: changes arrive after the next `onReconnect`. */
  onLost?(): void;
}

/** One listening connection for all modules of a process. */
export interface ChangeHub {
  /** Adds a listener; if the connection is open already, `onReconnect` is called at once. */
  watch(listener: ChangeListener): { close(): Promise<void> };
  /** Connects, if that was left for later. Call it once. */
  connect(): void;
  close(): Promise<void>;
}

/** What a feed tells its hub. */
export interface FeedHandlers {
  readonly onChange: (batch: readonly ChangeNotice[]) => void;
  readonly onReconnect: () => void;
  readonly onLost: () => void;
}

/** Dependencies of a hub. */
export interface ChangeHubOptions {
  /** Opens the connection, to PostgreSQL or to a core. */
  readonly openFeed: (handlers: FeedHandlers) => Promise<ChangeFeed>;
  /** Whether nothing is done before `connect`. */
  readonly connectsLater: boolean;
}

/** Starts listening; resolves after the first try to connect, whether or not PostgreSQL is there. */
export async function openChangeHub(options: ChangeHubOptions): Promise<ChangeHub> {
  const listeners = new Set<ChangeListener>();
  let connected = false;
  const open = (): Promise<ChangeFeed> =>
    options.openFeed({
      onChange: (batch) => {
        for (const listener of listeners) listener.onChange(batch);
      },
      onReconnect: () => {
        connected = true;
        for (const listener of listeners) listener.onReconnect();
      },
      onLost: () => {
        connected = false;
        for (const listener of listeners) listener.onLost?.();
      },
    });
  let opening = options.connectsLater ? null : open();
  await opening;
  return {
    watch: (listener) => {
      listeners.add(listener);
      if (connected) listener.onReconnect();
      return {
        close: async () => {
          listeners.delete(listener);
        },
      };
    },
    connect: () => {
      opening ??= open();
    },
    close: async () => (await opening)?.close(),
  };
}
