import { linesOf } from '../../../domain/text/lines.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Log } from '../../../domain/log/log.ts';
import { withJitter } from '../../../domain/time/jitter.ts';
import type { ChangeFeed, ChangeNotice } from '../../../storage/sql/change-feed.ts';
import type { FeedHandlers } from '../../../storage/sql/change-hub.ts';
import { NODE_PATH } from './core-calls.ts';
import type { CoreLink } from './core-link.ts';

const BACK_OFF_FIRST_MS = 100;
const BACK_OFF_MAX_MS = 5_000;
/** A core says every two seconds that it is alive. */
const SILENT_MS = 10_000;

const LINE = z.object({
  reread: z.literal(true).optional(),
  changes: z
    .array(z.object({ workspaceId: z.number().int(), kind: z.string(), id: z.string() }))
    .max(10_000)
    .optional(),
});

/** Dependencies of the feed. */
export interface CoreChangeFeedOptions extends FeedHandlers {
  readonly link: CoreLink;
  readonly log: Log;
}

/** As `openChangeFeed`, from a core. Each connection, to whichever core, begins with a notice to read everything again. */
export async function openCoreChangeFeed(options: CoreChangeFeedOptions): Promise<ChangeFeed> {
  const stop = new AbortController();
  const tried = Promise.withResolvers<void>();
  const running = follow(options, stop.signal, tried.resolve);
  await tried.promise;
  return {
    close: async () => {
      stop.abort();
      await running;
    },
  };
}

async function follow(options: CoreChangeFeedOptions, signal: AbortSignal, tried: () => void): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      await listen(options, signal, () => {
        failures = 0;
        tried();
      });
    } catch (error) {
      if (!signal.aborted) options.log.event('change_feed.connection_lost', { err: error });
    }
    tried();
    options.onLost();
    const waitMs = withJitter(Math.min(BACK_OFF_MAX_MS, BACK_OFF_FIRST_MS * 2 ** Math.min(failures, 10)));
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns when the core ends the stream. @throws Error when it breaks, or falls silent */
async function listen(
  { link, onChange, onReconnect }: CoreChangeFeedOptions,
  signal: AbortSignal,
  onListening: () => void,
): Promise<void> {
  const request = { method: 'GET' as const, path: `${NODE_PATH}/changes`, headers: link.headers() };
  const incoming = await link.connections.open(request, signal);
  if (incoming.statusCode !== 200) {
    incoming.resume();
    throw new Error(`The core refused its changes with ${incoming.statusCode}`);
  }
  incoming.setTimeout(SILENT_MS, () => incoming.destroy(new Error('The core is silent')));
  incoming.setEncoding('utf8');
  for await (const text of linesOf(incoming)) {
    const { reread, changes } = LINE.parse(JSON.parse(text));
    if (reread === true) {
      onListening();
      onReconnect();
    }
    if (changes !== undefined) onChange(changes as readonly ChangeNotice[]);
  }
}
