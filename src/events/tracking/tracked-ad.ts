import type { IncomingHttpHeaders } from 'node:http';
import type { LinkTokenCache } from '../../domain/events/link-token.ts';
import type { LinkKey, ServedAd } from '../../domain/events/served-ad.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import type { HttpRequest } from '../../http/shared/route.ts';

/** Dependencies for opening a link. */
export interface LinkOpener {
  readonly linkKeys: readonly LinkKey[];
  readonly tokens: LinkTokenCache;
  readonly catalog: Catalog;
}

/** The ad of a link's token; null when it is forged, or of another network or environment than the path says. */
export function openTrackedAd(request: HttpRequest, environment: Environment, opener: LinkOpener): ServedAd | null {
  const ad = opener.tokens.open(request.params['token'] ?? '', opener.linkKeys);
  if (ad === null) return null;
  const workspace = opener.catalog.findWorkspace(request.params['network'] ?? '', environment);
  return workspace?.workspaceId === ad.workspaceId ? ad : null;
}

/** True for requests that are neither an impression nor a click: HEAD and prefetches of a browser. */
export function isSpeculative(request: HttpRequest): boolean {
  return request.method === 'HEAD' || namesPrefetch(request.headers);
}

function namesPrefetch(headers: IncomingHttpHeaders): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) => {
    const value = headers[name];
    return typeof value === 'string' && /\b(?:prefetch|preview|prerender)\b/i.test(value);
  });
}
