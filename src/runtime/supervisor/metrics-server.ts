import { createHash, timingSafeEqual } from 'node:crypto';
import { Registry } from 'prom-client';
import type { Settings } from '../../config/settings.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { Log } from '../../domain/log/log.ts';
import { type DeliveryServer, startDeliveryServer } from '../../http/fast/delivery-server.ts';
import { compileTrustedProxies } from '../../http/shared/client-address.ts';
import type { HttpReply, HttpRequest, Route } from '../../http/shared/route.ts';
import { joinMetrics, type MeasuredProcess } from './process-metrics.ts';

/** Dependencies of the metrics server. */
export interface MetricsServerOptions {
  readonly settings: Pick<Settings, 'bind' | 'metricsPort' | 'metricsToken' | 'metricsAllowed'>;
  readonly processes: () => readonly MeasuredProcess[];
  readonly log: Log;
}

const CONNECTIONS_MAX = 64;

/**
 * Serves the metrics of all processes of this machine at one address, over plain HTTP: to the addresses that the settings allow or, with a
 * token, to callers that send it. Null without a port.
 */
export async function startMetricsServer({
  settings,
  processes,
  log,
}: MetricsServerOptions): Promise<DeliveryServer | null> {
  const { metricsPort: port, bind } = settings;
  if (port === null) return null;
  const handler = async (request: HttpRequest): Promise<HttpReply> => {
    // A scrape is rare, and a reload may have changed who may read.
    if (!isAllowed(settings, request)) throw new PlacardError('not_found', 'There is nothing at this address.');
    const headers = { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE, 'cache-control': 'no-store' };
    return { status: 200, headers, body: await joinMetrics(processes()) };
  };
  const route: Route = { method: 'GET', pattern: '/metrics', name: 'metrics', plainAllowed: true, handler };
  return await startDeliveryServer({
    routes: [route],
    transport: { mode: 'proxy', tls: null },
    bind,
    port,
    log,
    limits: { connectionsMax: CONNECTIONS_MAX, connectionsPerAddressMax: CONNECTIONS_MAX },
  });
}

function isAllowed(
  { metricsToken, metricsAllowed }: MetricsServerOptions['settings'],
  { remoteAddress, headers }: HttpRequest,
): boolean {
  if (metricsToken === null) return compileTrustedProxies(metricsAllowed)(remoteAddress);
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${metricsToken}`));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
