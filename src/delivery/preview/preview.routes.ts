import type { Kysely } from 'kysely';
import { openPreview } from '../../domain/booking/preview-link.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { HttpReply, HttpRequest, Route } from '../../http/shared/route.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { readPreviewed } from './preview.sql.ts';
import { renderPreview } from './render-preview.ts';

/** The dependencies of previews. */
export interface PreviewDeps {
  readonly sql: Kysely<Database>;
  /** The secret behind the signatures of previews. */
  readonly secret: Buffer;
  /** Public base address of delivery, without a trailing slash. */
  readonly deliveryUrl: string;
  readonly nowMs: () => number;
}

/**
 * The page runs code of advertisers on the address of the core: the sandbox gives it an origin of its own, without cookies, storage or
 * access to this API.
 */
const SANDBOX =
  "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; base-uri 'none'; form-action 'none'";
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-store',
};

/**
 * `GET /preview/<token>`: a creative as it would serve. Nothing is counted, no tracker is called. `?bare` leaves out the caption, and only pages of the core frame it;
 * `?page` is the same for the page tag, which frames it on pages of publishers.
 */
export function previewRoutes(deps: PreviewDeps): Route[] {
  return [
    {
      method: 'GET',
      pattern: '/preview/:token',
      name: 'preview',
      contentTypes: null,
      handler: async (request: HttpRequest): Promise<HttpReply> => {
        const link = openPreview(request.params['token'] ?? '', deps.secret, deps.nowMs());
        const creative = link === null ? undefined : await readPreviewed(deps.sql, link);
        if (link === null || creative === undefined)
          throw new PlacardError('not_found', 'This preview has expired or does not exist; ask for a new link.');
        const query = new URLSearchParams(request.query);
        const isOnPage = query.has('page');
        const isBare = isOnPage || query.has('bare');
        const body = renderPreview(creative, { ...link, deliveryUrl: deps.deliveryUrl, isBare });
        const ancestors = `frame-ancestors ${isOnPage ? 'http: https:' : "'self'"}`;
        return { status: 200, headers: { ...HEADERS, 'content-security-policy': `${SANDBOX}; ${ancestors}` }, body };
      },
    },
  ];
}
