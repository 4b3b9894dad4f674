import { createHash } from 'node:crypto';
import { openServedAd } from '../../domain/events/link-token.ts';
import type { Advertiser } from '../../domain/booking/line-item.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';
import { choosePageLanguage } from '../../domain/text/page-language.ts';
import type { PageLanguage } from '../../domain/text/page-language.ts';
import { findDimension } from '../../domain/targeting/targeting-dimensions.ts';
import type { WhyParameter } from '../../domain/targeting/targeting-dimensions.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import { ENVIRONMENTS, pathPrefix } from '../../domain/tenancy/workspace.ts';
import type { HttpReply, HttpRequest, Route } from '../../http/shared/route.ts';
import { findAdvertiser } from '../snapshot/compiled-networks.ts';
import { escapeMarkup } from '../markup/markup.ts';
import type { AdServerDeps } from './ad-server.ts';
import { WHY_TEXTS } from '../insight/why-texts.ts';

const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem;' +
  'color:#1b1b1f;background:#fff}h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:1.5rem}dt{color:#55555c}dd{margin:0 0 .75rem;font-weight:600}' +
  '@media (prefers-color-scheme:dark){body{color:#ececf1;background:#1b1b1f}dt{color:#b4b4bd}}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The policy of this page allows only its inline style: no script, image, form or frame. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, max-age=300',
  vary: 'Accept-Language',
};

/** The page behind `ext.dsaurl` (conformance B11): who is behind the ad, who paid, and how it was chosen. Sets no cookie. */
export function createWhyRoutes(deps: Pick<AdServerDeps, 'current' | 'linkKeys'>): Route[] {
  return ENVIRONMENTS.map((environment) => ({
    method: 'GET',
    pattern: `${pathPrefix(environment)}/:network/why/:token`,
    name: environment === 'staging' ? 'why.staging' : 'why',
    contentTypes: null,
    handler: (request) => respondWithWhy(deps, environment, request),
  }));
}

function respondWithWhy(
  deps: Pick<AdServerDeps, 'current' | 'linkKeys'>,
  environment: Environment,
  request: HttpRequest,
): HttpReply {
  const compiled = deps.current().find(request.params['network'] ?? '', environment);
  const ad = openServedAd(request.params['token'] ?? '', deps.linkKeys);
  if (compiled === undefined || ad === null || ad.workspaceId !== compiled.snapshot.workspace.workspaceId) {
    throw new PlacardError('not_found', 'This link does not belong to an ad that was served here.');
  }
  const language = choosePageLanguage(
    request.headers['accept-language'] ?? '',
    compiled.snapshot.workspace.whyLanguages,
  );
  const body = renderWhyPage(ad, findAdvertiser(compiled, ad.advertiserId), language);
  return { status: 200, headers: { ...HEADERS, 'content-language': language }, body };
}

/** The page in one language. All external text is escaped. */
export function renderWhyPage(ad: ServedAd, advertiser: Advertiser | undefined, language: PageLanguage): string {
  const texts = WHY_TEXTS[language];
  const fact = (label: string, value: string | null) =>
    `<dt>${escapeMarkup(label)}</dt><dd>${escapeMarkup(value || texts.unknown)}</dd>`;
  const facts =
    advertiser === undefined
      ? `<p>${escapeMarkup(texts.gone)}</p>`
      : `<dl>${fact(texts.behalf, advertiser.dsaBehalf || advertiser.name)}${fact(texts.paid, advertiser.dsaPaid)}</dl>`;
  const parameters = parametersOf(ad).map((parameter) => `<li>${escapeMarkup(texts.by[parameter])}</li>`);
  const personal = ad.userHash === '' ? texts.notPersonal : texts.personal;
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeMarkup(texts.title)}</title>` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">` +
    `<style>${STYLE}</style></head><body><main><h1>${escapeMarkup(texts.title)}</h1><p>${escapeMarkup(texts.intro)}</p>${facts}` +
    `<h2>${escapeMarkup(texts.parameters)}</h2><ul>${parameters.join('')}</ul><p>${escapeMarkup(personal)}</p></main></body></html>`
  );
}

function parametersOf(ad: ServedAd): WhyParameter[] {
  const found = new Set<WhyParameter>();
  for (const dimension of ad.chosenBy) {
    const known = findDimension(dimension);
    if (known !== null) found.add(known.why);
  }
  if (ad.dealId !== '') found.add('agreement');
  return found.size === 0 ? ['campaign'] : [...found];
}
