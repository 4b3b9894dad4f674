import { isLoopback } from './client-address.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { HttpReply, HttpRequest, Route } from './route.ts';

/** The state of one dependency of the service. */
export interface ReadinessCheck {
  readonly name: string;
  readonly ok: boolean;
  /** It serves, but not all of it: shown, and no reason to take the server out of service. */
  readonly degraded?: boolean;
  /** For operators: shown to loopback callers only. */
  readonly detail?: string;
  /** Of work that goes on while it serves: so much of it is done. */
  readonly progress?: { readonly done: number; readonly of: number };
}

/** Dependencies of the health routes. */
export interface HealthOptions {
  /** Looks at everything that serving depends on. A rejection counts as not ready. */
  readonly readiness: () => Promise<readonly ReadinessCheck[]>;
  /** Prometheus registry of the process; absent: no /metrics. */
  readonly metrics?: { readonly contentType: string; metrics(): Promise<string> };
  /** Who may read /metrics. Default: callers on this machine only; for others it does not exist. */
  readonly metricsFor?: 'loopback' | 'anyone';
  /** How long readiness may take in ms before it counts as not ready; default 2,000. */
  readonly readinessTimeoutMs?: number;
}

/** The check of a server that drains: load balancers turn elsewhere. No check while it does not. */
export function drainReadiness(server: { isDraining(): boolean }): ReadinessCheck[] {
  return server.isDraining() ? [{ name: 'draining', ok: false, detail: 'the service is stopping' }] : [];
}

const NO_STORE = { 'cache-control': 'no-store' } as const;

/**
 * The routes `/healthz` (the process responds), `/readyz` (200 when all checks are ok, also while one is degraded, else 503) and `/metrics`, for either server.
 * The first two are also served over plain HTTP behind a proxy, because load balancers probe that way; they contain no secrets.
 */
export function healthRoutes(options: HealthOptions): Route[] {
  const routes: Route[] = [
    { method: 'GET', pattern: '/healthz', name: 'healthz', plainAllowed: true, handler: respondAlive },
    {
      method: 'GET',
      pattern: '/readyz',
      name: 'readyz',
      plainAllowed: true,
      handler: (request) => respondReady(request, options),
    },
  ];
  const { metrics, metricsFor = 'loopback' } = options;
  if (metrics === undefined) return routes;
  const handler = async (request: HttpRequest): Promise<HttpReply> => {
    if (metricsFor === 'loopback' && !isFromThisMachine(request)) {
      throw new PlacardError('not_found', 'There is nothing at this address.');
    }
    return {
      status: 200,
      headers: { 'content-type': metrics.contentType, ...NO_STORE },
      body: await metrics.metrics(),
    };
  };
  return [...routes, { method: 'GET', pattern: '/metrics', name: 'metrics', plainAllowed: true, handler }];
}

/** Headers of proxies: a request with any of these came through a proxy, even one on this machine. */
const FORWARDED = [
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'forwarded',
  'via',
] as const;

/** A call by a program of this machine, not one that a proxy here passes on (trusted or not). */
function isFromThisMachine({ remoteAddress, headers }: HttpRequest): boolean {
  return isLoopback(remoteAddress) && FORWARDED.every((name) => headers[name] === undefined);
}

function respondAlive(): HttpReply {
  return { status: 200, headers: NO_STORE, body: '{"status":"ok"}' };
}

async function respondReady(request: HttpRequest, options: HealthOptions): Promise<HttpReply> {
  const checks = await runChecks(options);
  const ready = checks.every((check) => check.ok);
  const tells = isFromThisMachine(request);
  const shown = checks.map(({ name, ok, degraded, detail, progress }) => ({
    name,
    ok,
    ...(degraded === true ? { degraded } : {}),
    ...(tells && detail !== undefined ? { detail } : {}),
    ...(progress === undefined ? {} : { progress }),
  }));
  const isDegraded = checks.some((check) => check.degraded === true);
  const headers = ready ? NO_STORE : { ...NO_STORE, 'retry-after': '1' };
  return {
    status: ready ? 200 : 503,
    headers,
    body: JSON.stringify({ status: ready ? (isDegraded ? 'degraded' : 'ready') : 'not_ready', checks: shown }),
  };
}

async function runChecks({ readiness, readinessTimeoutMs = 2_000 }: HealthOptions): Promise<readonly ReadinessCheck[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly ReadinessCheck[]>((resolve) => {
    const detail = `timed out after ${readinessTimeoutMs} ms`;
    timer = setTimeout(() => resolve([{ name: 'readiness', ok: false, detail }]), readinessTimeoutMs);
  });
  const failed = (error: unknown): readonly ReadinessCheck[] => [
    { name: 'readiness', ok: false, detail: String(error) },
  ];
  return Promise.race([readiness().catch(failed), late]).finally(() => clearTimeout(timer));
}
