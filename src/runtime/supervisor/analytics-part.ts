import { join } from 'node:path';
import { runAnalyticsServer } from '../../storage/olap/analytics-process.ts';
import type { ChildContext, RunningPart } from './part.ts';

/** Runs the built-in analytics store of the data folder at the address that the endpoints name. */
export async function runAnalyticsPart({ settings, endpoints, log }: ChildContext): Promise<RunningPart> {
  const url = new URL(endpoints.clickhouseUrl);
  const server = await runAnalyticsServer({
    dir: join(settings.dataDir, 'analytics'),
    listen: { host: url.hostname, port: Number(url.port) },
    password: decodeURIComponent(url.password),
    log,
  });
  return { stop: () => server.stop() };
}
