import type { IntegratedAdUnit } from '../api/inventory/integration.ts';
import type { Scope } from '../api/transport/scope.ts';

/** How a page or a program can ask for ads. */
export const SNIPPET_KINDS = ['tag', 'react', 'prebid', 'curl', 'typescript', 'openrtb', 'amp', 'vast'] as const;
export type SnippetKind = (typeof SNIPPET_KINDS)[number];

/** What snippets are about. */
export interface SnippetFacts {
  readonly scope: Scope;
  /** Public base address of delivery. */
  readonly delivery: string;
  readonly adUnit: IntegratedAdUnit;
}

/** The snippet of each kind, complete: it works as it stands. */
export const SNIPPETS: Readonly<Record<SnippetKind, (facts: SnippetFacts) => string>> = {
  tag: writeTag,
  react: writeReact,
  prebid: writePrebid,
  curl: writeCurl,
  typescript: writeTypescript,
  openrtb: (facts) => JSON.stringify(bidRequest(facts, 'request-1'), null, 2),
  amp: writeAmp,
  vast: writeVast,
};

const siteOf = ({ adUnit }: SnippetFacts) => ({ code: adUnit.site?.code ?? '', domain: adUnit.site?.domain ?? '' });
const sizesOf = ({ adUnit }: SnippetFacts): string => adUnit.sizes.map((one) => `${one.width}x${one.height}`).join();
type MediaType = SnippetFacts['adUnit']['mediaTypes'][number];

/** The offers of an ad unit: an object with a member for each of its media types. */
function offersOf({ adUnit }: SnippetFacts, forms: Readonly<Record<MediaType, object>>): object {
  return Object.fromEntries(adUnit.mediaTypes.map((one) => [one.toLowerCase(), forms[one]]));
}

const mediaOf = ({ adUnit }: SnippetFacts): string[] => adUnit.mediaTypes.map((one) => one.toLowerCase());
const isBannerOnly = (facts: SnippetFacts): boolean => mediaOf(facts).join() === 'banner';
const isStaging = ({ scope }: SnippetFacts): boolean => scope.environment === 'staging';

/** A text as the value of an attribute. */
function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A text as JavaScript, also within a page's script. */
function script(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll('<', '\\u003c');
}

function attributes(pairs: readonly (readonly [string, string])[]): string {
  return pairs
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${attribute(value)}"`)
    .join('');
}

function writeTag(facts: SnippetFacts): string {
  const { scope, delivery, adUnit } = facts;
  const { code, domain } = siteOf(facts);
  const page = attributes([
    ['src', `${delivery}/tag.js`],
    ['data-network', scope.networkId],
    ['data-site', code],
    ['data-domain', domain],
    ['data-area', adUnit.area?.code ?? ''],
    ['data-environment', isStaging(facts) ? 'staging' : ''],
  ]);
  const unit = attributes([
    ['data-ad-unit', adUnit.name],
    ['data-sizes', sizesOf(facts)],
    ['data-media', isBannerOnly(facts) ? '' : mediaOf(facts).join()],
  ]);
  return `<script async${page}></script>\n\n<div${unit}></div>\n`;
}

function writeReact(facts: SnippetFacts): string {
  const { scope, delivery, adUnit } = facts;
  const { code, domain } = siteOf(facts);
  const props = (pairs: readonly (readonly [string, string])[]): string =>
    pairs
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `        ${name}={${script(value)}}\n`)
      .join('');
  return `import { AdSlot, PlacardScript } from '@placard/react';

export function Page() {
  return (
    <>
      <PlacardScript
${props([
  ['src', `${delivery}/tag.js`],
  ['network', scope.networkId],
  ['site', code],
  ['domain', domain],
  ['area', adUnit.area?.code ?? ''],
  ['environment', isStaging(facts) ? 'staging' : ''],
])}      />
      <AdSlot
${props([
  ['adUnit', adUnit.name],
  ['sizes', sizesOf(facts)],
  ['media', isBannerOnly(facts) ? '' : mediaOf(facts).join()],
])}      />
    </>
  );
}
`;
}

const AUDIO_TYPES = ['audio/mpeg', 'audio/mp4'];

function writePrebid(facts: SnippetFacts): string {
  const { scope, delivery, adUnit } = facts;
  const pairs = adUnit.sizes.map(({ width, height }) => [width, height]);
  const video = { context: 'outstream', playerSize: pairs[0] ?? [640, 360], mimes: ['video/mp4'], protocols: [3, 7] };
  const unit = {
    code: adUnit.name,
    mediaTypes: offersOf(facts, {
      BANNER: { sizes: pairs },
      VIDEO: { ...video, plcmt: 4 },
      NATIVE: { ortb: { assets: [{ id: 1, required: 1, title: { len: 90 } }] } },
      AUDIO: { mimes: AUDIO_TYPES, protocols: [3, 7] },
    }),
    bids: [
      {
        bidder: 'placard',
        params: {
          endpoint: `${delivery}${isStaging(facts) ? '/staging' : ''}`,
          network: scope.networkId,
          adUnit: adUnit.name,
          site: siteOf(facts).code,
          ...(adUnit.area === null ? {} : { area: adUnit.area.code }),
        },
      },
    ],
  };
  return `pbjs.que.push(() => {
  pbjs.addAdUnits([${script(unit, 2).replaceAll('\n', '\n  ')}]);
});
`;
}

function bidRequest(facts: SnippetFacts, id: string): Record<string, unknown> {
  const { adUnit } = facts;
  const { code, domain } = siteOf(facts);
  const [first] = adUnit.sizes;
  const format = adUnit.sizes.map(({ width, height }) => ({ w: width, h: height }));
  return {
    id,
    imp: [
      {
        id: '1',
        tagid: adUnit.name,
        secure: 1,
        ...offersOf(facts, {
          BANNER: { format },
          NATIVE: { request: '{}', ver: '1.2' },
          VIDEO: { mimes: ['video/mp4'], protocols: [3, 7, 11], w: first?.width ?? 640, h: first?.height ?? 360 },
          AUDIO: { mimes: AUDIO_TYPES, protocols: [3, 7, 11] },
        }),
      },
    ],
    site: {
      id: code,
      domain,
      page: `https://${domain}/`,
      ...(adUnit.area === null ? {} : { ext: { area: adUnit.area.code } }),
    },
    regs: { gdpr: 0 },
  };
}

const bidUrl = (facts: SnippetFacts): string =>
  `${facts.delivery}${isStaging(facts) ? '/staging' : ''}/${facts.scope.networkId}/bid`;

/** The kinds that an ad unit can use: addresses of players are for video and audio. */
export function snippetKindsOf(facts: SnippetFacts): SnippetKind[] {
  return SNIPPET_KINDS.filter(
    (kind) => kind !== 'vast' || ['video', 'audio'].some((one) => mediaOf(facts).includes(one)),
  );
}

/** The address of an ad for players, and that of a content's ad breaks. */
function writeVast(facts: SnippetFacts): string {
  const { scope, delivery, adUnit } = facts;
  const base = `${delivery}${isStaging(facts) ? '/staging' : ''}/${scope.networkId}`;
  const [size] = adUnit.sizes;
  const query = new URLSearchParams({
    unit: adUnit.name,
    ...(size === undefined ? {} : { sz: `${size.width}x${size.height}` }),
  });
  const breaks = new URLSearchParams({ breaks: 'start,50%,end' });
  return `${base}/vast?${query}\n\n${base}/vmap?${query}&${breaks}\n`;
}

/** A text as one word of a shell. */
function word(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Each run has an id of its own: a request that is sent again would get the first response. */
function writeCurl(facts: SnippetFacts): string {
  const body = word(JSON.stringify(bidRequest(facts, '@'), null, 2)).replace(
    '"id": "@"',
    () => `"id": "'"$(date +%s)-$$"'"`,
  );
  const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  return `curl -sS ${word(bidUrl(facts))} \\
  -H 'Content-Type: application/json' -A ${word(agent)} \\
  -d ${body}
`;
}

function writeTypescript(facts: SnippetFacts): string {
  const { id: _id, ...request } = bidRequest(facts, '');
  const settings = {
    network: facts.scope.networkId,
    deliveryUrl: facts.delivery,
    ...(isStaging(facts) ? { environment: 'staging' } : {}),
  };
  return `import { PlacardClient } from '@placard/client';

const placard = new PlacardClient(${script(settings, 2)});
const response = await placard.bid({
  id: crypto.randomUUID(),
${script(request, 2).slice(2, -2)},
});
console.log(response === null ? 'no ad' : response.seatbid[0]?.bid[0]);
`;
}

/** Address of the page with this one ad unit. With `watch` it tells the page around it what it does. */
export function framePage(facts: SnippetFacts, isWatched: boolean): string {
  const { scope, delivery, adUnit } = facts;
  const { code, domain } = siteOf(facts);
  const given = {
    network: scope.networkId,
    site: code,
    domain,
    area: adUnit.area?.code ?? '',
    environment: isStaging(facts) ? 'staging' : '',
    'ad-unit': adUnit.name,
    sizes: sizesOf(facts),
    media: isBannerOnly(facts) ? '' : mediaOf(facts).join(),
    lazy: 'off',
    watch: isWatched ? '1' : '',
  };
  const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''));
  return `${delivery}/tag-page.html?${query}`;
}

function writeAmp(facts: SnippetFacts): string {
  const [size] = facts.adUnit.sizes;
  return `<script async custom-element="amp-iframe" src="https://cdn.ampproject.org/v0/amp-iframe-0.1.js"></script>

<amp-iframe width="${size?.width ?? 640}" height="${size?.height ?? 360}" sandbox="allow-scripts allow-same-origin allow-popups"
  frameborder="0" src="${attribute(framePage(facts, false))}">
  <amp-img layout="fill" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" placeholder></amp-img>
</amp-iframe>
`;
}
