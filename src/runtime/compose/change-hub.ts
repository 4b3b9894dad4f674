import type { Log } from '../../domain/log/log.ts';
import { type ChangeFeed, type ChangeNotice, openChangeFeed } from '../../storage/sql/change-feed.ts';

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

/** Dependencies of a hub. */
export interface ChangeHubOptions {
  readonly url: string;
  readonly log: Log;
  /** Whether nothing is done before `connect`. */
  readonly connectsLater: boolean;
}

/** Starts listening; resolves after the first try to connect, whether or not PostgreSQL is there. */
export async function openChangeHub(options: ChangeHubOptions): Promise<ChangeHub> {
  const listeners = new Set<ChangeListener>();
  let connected = false;
  const open = (): Promise<ChangeFeed> =>
    openChangeFeed({
      url: options.url,
      channel: 'placard_change',
      log: options.log,
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
