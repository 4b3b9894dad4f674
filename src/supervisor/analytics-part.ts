import { join } from 'node:path';
import { runAnalyticsServer } from '../storage/olap/analytics-process.ts';
import type { ChildContext, RunningPart } from './part.ts';
import { lowerPriority } from './process-priority.ts';

/** How far the analytics store steps back behind ads (nice levels): beside a busy worker it gets a tenth of a core, alone all. */
const NICE_LEVELS = 10;

/** Runs the built-in analytics store of the data folder at the address that the endpoints name. */
export async function runAnalyticsPart({ settings, endpoints, log }: ChildContext): Promise<RunningPart> {
  // Before the store starts threads of its own: they inherit it.
  lowerPriority(NICE_LEVELS, log);
  const url = new URL(endpoints.clickhouseUrl);
  const server = await runAnalyticsServer({
    dir: join(settings.dataDir, 'analytics'),
    listen: { host: url.hostname, port: Number(url.port) },
    password: decodeURIComponent(url.password),
    log,
  });
  return { stop: () => server.stop() };
}
