import { readFile } from 'node:fs/promises';
import type { CreativeContent } from '../domain/booking/creative.ts';
import type { AssetStore } from '../storage/assets.ts';
import { DEMO_ADVERTISERS, type DemoAdvertiser, type DemoCreative } from './booking.ts';
import { DEMO_LINE_ITEMS } from './line-items.ts';
import { drawBanner, drawIcon } from './pictures.ts';

/** The demo's pictures and film, drawn and stored; gives each creative its content. */
export interface DemoArtwork {
  contentOf(advertiser: DemoAdvertiser, creative: DemoCreative): CreativeContent;
}

const NATIVE_WIDTH = 640;
const NATIVE_HEIGHT = 360;
const FILM_MS = 8000;
/** Advertisers that have a film, and the encodings of each. */
const FILMS = ['pinewood', 'kite', 'house'] as const;
const FILM_TYPES = ['mp4', 'webm'] as const;

/** Draws every picture that the demo books and puts it, with the film, into the asset store. */
export async function storeArtwork(assets: AssetStore): Promise<DemoArtwork> {
  const paths = new Map<string, string>();
  const draw = async (key: string, svg: string): Promise<void> => {
    paths.set(key, await assets.put(Buffer.from(svg), 'svg'));
  };
  const sizes = new Set(
    DEMO_LINE_ITEMS.flatMap((item) => [...item.creatives, ...(item.companions ?? [])])
      .filter(([, width]) => width > 0)
      .map(([, width, height]) => `${width}x${height}`),
  );
  sizes.add(`${NATIVE_WIDTH}x${NATIVE_HEIGHT}`);
  for (const advertiser of DEMO_ADVERTISERS) {
    for (const size of sizes) {
      const [width = 0, height = 0] = size.split('x').map(Number);
      await draw(`${advertiser.key}:${size}`, drawBanner(advertiser, width, height));
    }
    await draw(`${advertiser.key}:icon`, drawIcon(advertiser));
  }
  for (const key of FILMS) {
    for (const extension of FILM_TYPES) {
      const bytes = await readFile(new URL(`media/${key}-spot.${extension}`, import.meta.url));
      paths.set(`${key}:${extension}`, await assets.put(bytes, extension));
    }
  }
  return { contentOf: (advertiser, creative) => contentOf(advertiser, creative, (key) => paths.get(key) ?? '') };
}

function contentOf(
  advertiser: DemoAdvertiser,
  [format, width, height]: DemoCreative,
  pathOf: (key: string) => string,
): CreativeContent {
  const alt = `${advertiser.name}: ${advertiser.headline}`;
  switch (format) {
    case 'IMAGE':
      return { format, imageUrl: pathOf(`${advertiser.key}:${width}x${height}`), alt };
    case 'HTML':
      return { format, html: animatedBanner(advertiser, width, height) };
    case 'NATIVE':
      return {
        format,
        title: advertiser.headline,
        body: advertiser.line,
        callToAction: advertiser.callToAction,
        sponsoredBy: advertiser.name,
        imageUrl: pathOf(`${advertiser.key}:${NATIVE_WIDTH}x${NATIVE_HEIGHT}`),
        imageWidth: NATIVE_WIDTH,
        imageHeight: NATIVE_HEIGHT,
        iconUrl: pathOf(`${advertiser.key}:icon`),
      };
    case 'VIDEO':
      return {
        format,
        title: alt,
        durationMs: FILM_MS,
        vastTagUrl: null,
        skipOffsetMs: 5000,
        mediaFiles: FILM_TYPES.map((extension) => ({
          url: pathOf(`${advertiser.key}:${extension}`),
          mimeType: `video/${extension}`,
          width: 640,
          height: 360,
          bitrateKbps: 80,
        })),
      };
  }
}

/** An HTML5 banner: moves once, unless the user prefers less motion. */
function animatedBanner(advertiser: DemoAdvertiser, width: number, height: number): string {
  const [dark, light] = advertiser.colours;
  const size = width > height * 2 ? Math.round(height * 0.2) : Math.round(width * 0.09);
  return [
    '<style>*{box-sizing:border-box}body{margin:0}',
    `a{display:flex;flex-direction:column;justify-content:center;gap:.5em;width:${width}px;height:${height}px;padding:1.2em;overflow:hidden;background:linear-gradient(120deg,${dark},${dark} 60%,${light}55);color:#fff;font:700 ${size}px/1.15 Georgia,serif;text-decoration:none}`,
    `small{font:400 ${Math.round(size * 0.5)}px/1.3 Helvetica,Arial,sans-serif;color:${light}}b{align-self:start;padding:.5em 1em;border-radius:2em;background:${light};color:${dark};font:700 ${Math.round(size * 0.5)}px Helvetica,Arial,sans-serif}`,
    '@media (prefers-reduced-motion:no-preference){b{animation:in .9s .4s both cubic-bezier(.2,.8,.2,1)}@keyframes in{from{transform:translateX(-120%)}}}</style>',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the macro is replaced when the ad is served
    `<a href="\${CLICK_URL}" target="_blank" rel="noopener">${advertiser.headline}<small>${advertiser.line}</small><b>${advertiser.callToAction.replace('&', '&amp;')}</b></a>`,
  ].join('');
}
