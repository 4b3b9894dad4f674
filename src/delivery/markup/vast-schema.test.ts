import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DRAW_SEED } from '../../../test/support/draw-seed.ts';
import { schemaComplaints, VAST_XSD, VMAP_XSD } from '../../../test/support/vast/vast-schemas.ts';
import { buildAdLinks } from '../../domain/events/ad-links.ts';
import type { Creative, PlayedContent } from '../../domain/booking/creative.ts';
import { sampleCreative } from '../../../test/worlds/sample-workspace.ts';
import { xmlComment } from './markup.ts';
import { renderAd, renderVast, renderVastRoot } from './vast-markup.ts';
import type { VastInput } from './vast-markup.ts';
import { renderVmap } from './vmap-markup.ts';

const links = buildAdLinks('https://ads.example', 'production', '1000', 'a.TOKEN');
const FILES = [
  { url: 'https://cdn.example/a.mp4', mimeType: 'video/mp4', width: 640, height: 360, bitrateKbps: 800.5 },
  { url: 'https://cdn.example/a.webm', mimeType: 'video/webm', width: 640, height: 360, bitrateKbps: null },
];
const film: PlayedContent = {
  format: 'VIDEO',
  title: 'Film',
  durationMs: 15_000,
  vastTagUrl: null,
  skipOffsetMs: null,
  mediaFiles: FILES,
};
const wrapped: PlayedContent = { ...film, vastTagUrl: 'https://tag.example/?a=1&b=2', mediaFiles: [] };
const spot: PlayedContent = {
  ...film,
  format: 'AUDIO',
  mediaFiles: [{ url: 'https://cdn.example/a.mp3', mimeType: 'audio/mpeg', bitrateKbps: 128 }],
};
const trackers = {
  impressionUrls: ['https://t.example/i?a=1&b=2'],
  clickUrls: ['https://t.example/c'],
  viewableUrls: [],
};
const picture = sampleCreative({ id: '7', masterCreativeId: '100', trackers });
const tag = sampleCreative({ id: '8', masterCreativeId: '100', content: { format: 'HTML', html: '<b>]]></b>' } });

function inputOf(content: PlayedContent, own: Partial<Creative> = {}): VastInput {
  return {
    creative: sampleCreative({ content: content, ...own }),
    content,
    links,
    version: '4.2',
    impressionId: '01J',
    advertiserName: 'Acme',
    categories: [],
    price: { decimal: '12.5', currency: 'PLN' },
    offer: null,
    companions: { required: 'none', ads: [] },
  };
}

function documentOf(overrides: Partial<VastInput>, own: Partial<Creative> = {}): string {
  return renderVast({ ...inputOf(overrides.content ?? film, own), ...overrides });
}

const beside = (required: 'all' | 'any' | 'none', ...creatives: Creative[]) => ({
  companions: { required, ads: creatives.map((creative) => ({ creative, links })) },
});

const VARIANTS: Readonly<Record<string, string>> = {
  'in line': documentOf({}),
  'in line, skippable, of one media type': documentOf({
    content: { ...film, durationMs: 15_500, skipOffsetMs: 5_250 },
    offer: null,
  }),
  'in line, with categories and trackers': documentOf({ categories: ['IAB1', 'IAB2-3'] }, { trackers }),
  'in line, with a picture that must stand beside it': documentOf(beside('all', picture)),
  'in line, with one of two companions': documentOf(beside('any', tag, picture)),
  'in line, audio with a picture': documentOf({ content: spot, ...beside('any', picture) }),
  'wrapper of audio': documentOf({ content: { ...spot, mediaFiles: [], vastTagUrl: 'https://tag.example/' } }),
  wrapper: documentOf({ content: wrapped }, { trackers }),
  empty: renderVastRoot('4.2', ''),
  'empty, with a comment': renderVastRoot('4.2', xmlComment('a--b --- <x> \u0000 -')),
  'wrapper with companions': documentOf({ content: wrapped, ...beside('none', picture, tag) }, { trackers }),
};

test.skipIf(VAST_XSD === '').each(Object.entries(VARIANTS))(
  'the VAST document is valid by the schema: %s',
  (_name, document) => {
    expect(schemaComplaints([document], VAST_XSD)).toBe('');
  },
);

test.skipIf(VAST_XSD === '')(
  'the VAST document is valid by the schema with any texts and addresses',
  { timeout: 120_000 },
  () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(']]>', '<a>&', '"\'', ''));
    const address = fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), text);
    const addresses = fc.array(address, { maxLength: 2 });
    const anyTrackers = fc.record({ impressionUrls: addresses, clickUrls: addresses, viewableUrls: addresses });
    const companion = fc
      .record({ trackers: anyTrackers, imageUrl: address, alt: text, html: text, isTag: fc.boolean() })
      .map(({ trackers: own, imageUrl, alt, html, isTag }) =>
        sampleCreative({
          trackers: own,
          content: isTag ? { format: 'HTML', html } : { format: 'IMAGE', imageUrl, alt },
        }),
      );
    const world = fc.record({
      title: text,
      advertiserName: text,
      categories: fc.array(text, { maxLength: 2 }),
      durationMs: fc.integer({ min: 1, max: 4_000_000 }),
      skipOffsetMs: fc.option(fc.integer({ min: 0, max: 60_000 })),
      vastTagUrl: fc.option(address),
      fileUrl: address,
      trackers: anyTrackers,
      companions: fc.array(companion, { maxLength: 3 }),
      required: fc.constantFrom('all' as const, 'any' as const, 'none' as const),
    });
    const seed = DRAW_SEED;
    const documents = fc.sample(world, { numRuns: 200, seed }).map(({ trackers: own, companions, required, ...one }) =>
      documentOf(
        {
          advertiserName: one.advertiserName,
          categories: one.categories,
          content: {
            format: 'VIDEO',
            title: one.title,
            durationMs: one.durationMs,
            skipOffsetMs: one.skipOffsetMs,
            vastTagUrl: one.vastTagUrl,
            mediaFiles: FILES.map((file) => ({ ...file, url: one.fileUrl })),
          },
          ...beside(required, ...companions),
        },
        { trackers: own },
      ),
    );
    expect(schemaComplaints(documents, VAST_XSD), `PROPERTY_SEED=${seed}`).toBe('');
  },
);

test.each([
  ['4.2', ' adType="audio"'],
  ['4.1', ' adType="audio"'],
  ['4.0', ''],
  ['2.0', ''],
] as const)('an audio ad in version %s says that it is audio where the version can', (version, type) => {
  const ad = renderAd({ ...inputOf(spot), version });
  expect(ad).toContain(`<Ad id="100"${type}>`);
  expect(ad).toContain('type="audio/mpeg" width="0" height="0" bitrate="128"');
  expect(renderAd({ ...inputOf(film), version })).not.toContain('adType');
});

const TEXTS = ['https://a.example/?a=1&b=]]>', '"><x>', 'plain', ' ', 'a--b', '\u0001'];

test.skipIf(VMAP_XSD === '')('the VMAP document is valid by the schema, with any texts', () => {
  // The schema wants the namespace of an old draft, which no player and no version of VAST has.
  const vast = '<VAST xmlns="http://www.iab.net/videosuite/vast" version="3.0"></VAST>';
  const addressWith = (text: string) => `https://ads.example/1000/vast?${new URLSearchParams({ x: text })}`;
  const sources = [...TEXTS.map((text) => ({ tagUrl: addressWith(text) })), { vast }];
  const breaks = sources.map((source) => ({ timeOffset: '50%', breakId: '"><x>&', source }));
  expect(schemaComplaints([renderVmap(breaks), renderVmap([], xmlComment('nothing'))], VMAP_XSD)).toBe('');
});

test('texts stay within their nodes of a VMAP document', () => {
  const plain = { timeOffset: 'start', breakId: 'b', source: { tagUrl: 'u' } };
  const shapeOf = (document: string): string =>
    document.replace(/<!\[CDATA\[[^]*?\]\]>/g, '').replace(/"[^"<>]*"/g, '""');
  for (const text of TEXTS) {
    const hostile = { timeOffset: text, breakId: text, source: { tagUrl: text } };
    expect(shapeOf(renderVmap([hostile]))).toBe(shapeOf(renderVmap([plain])));
  }
});

test('an ad within a VMAP document has no declaration of its own', () => {
  const vast = renderVastRoot('3.0', renderAd({ ...inputOf(film), version: '3.0' }));
  const document = renderVmap([{ timeOffset: 'start', breakId: 'preroll', source: { vast } }]);
  expect(document.match(/<\?xml/g)).toHaveLength(1);
  expect(document).toContain('<vmap:VASTAdData><VAST version="3.0"><Ad id="100">');
});
