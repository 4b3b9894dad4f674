import ipaddr from 'ipaddr.js';
import { compileTrustedProxies } from './client-address.ts';
import type { HttpRequest, Route } from './route.ts';

/** Headers that describe the device of a user, by the headers in which a stitcher sends them (VAST 4, "Headers"). */
const OF_DEVICE: readonly (readonly [header: string, sentAs: string])[] = [
  ['user-agent', 'x-device-user-agent'],
  ['accept-language', 'x-device-accept-language'],
  ['referer', 'x-device-referer'],
];
const HEADER_CHARS_MAX = 4_096;

/**
 * Routes that a stitcher may call for a user: a server that stitches ads into streams. Its `X-Device-…` headers then stand for address, user
 * agent and languages of the caller. Headers of anybody else are not believed.
 * @param stitchers addresses and CIDR ranges
 * @param names the routes
 */
export function behindStitchers(
  routes: readonly Route[],
  stitchers: readonly string[],
  names: ReadonlySet<string>,
): readonly Route[] {
  if (stitchers.length === 0) return routes;
  const isStitcher = compileTrustedProxies(stitchers);
  return routes.map((route) =>
    names.has(route.name)
      ? {
          ...route,
          handler: (request) => route.handler(isStitcher(request.remoteAddress) ? asDevice(request) : request),
        }
      : route,
  );
}

/** The request as if the device had sent it. What the stitcher leaves out is unknown. */
function asDevice(request: HttpRequest): HttpRequest {
  const { method, path, query, body, startedMs, requestId, protocolSecure, params } = request;
  // Client hints and cookies in the request are those of the stitcher.
  const kept = Object.entries(request.headers).filter(([name]) => !name.startsWith('sec-ch-') && name !== 'cookie');
  const headers = Object.fromEntries(kept);
  for (const [header, sentAs] of OF_DEVICE) headers[header] = textOf(request.headers[sentAs]);
  const remoteAddress = addressOf(textOf(request.headers['x-device-ip']));
  const hasLeft = () => request.hasLeft();
  return { method, path, query, headers, body, remoteAddress, startedMs, requestId, protocolSecure, params, hasLeft };
}

function textOf(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value.slice(0, HEADER_CHARS_MAX) : '';
}

function addressOf(text: string): string {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : '';
}
