import { AD_SANDBOX } from '../../domain/booking/ad-frame.ts';
import type { CreativeContent } from '../../domain/booking/creative.ts';
import type { Placement } from '../decision/decision.ts';
import type { CompiledCreative } from '../decision/index/compile-line-items.ts';

/**
 * Stored creatives name files that this service hosts by path (`/assets/…`), so that they survive a change of the public address.
 * Resolves these paths to addresses below `deliveryUrl`, once for each compiled creative.
 */
export class HostedAssets {
  readonly #deliveryUrl: string;
  /** By compiled creative: an entry goes when its snapshot does. */
  readonly #resolved = new WeakMap<CompiledCreative, CompiledCreative>();

  /** @param deliveryUrl public base address of delivery, without a trailing slash */
  constructor(deliveryUrl: string) {
    this.#deliveryUrl = deliveryUrl;
  }

  resolve(placement: Placement): Placement {
    const { creative: compiled } = placement;
    let creative = this.#resolved.get(compiled);
    if (creative === undefined) {
      const content = resolveContent(compiled.creative.content, (address) =>
        address.startsWith('/assets/') ? this.#deliveryUrl + address : address,
      );
      creative = { ...compiled, creative: { ...compiled.creative, content } };
      this.#resolved.set(compiled, creative);
    }
    return { ...placement, creative };
  }
}

/** The frame that shows a bundle; its page takes the click address from its own address. */
function frameOf(zipUrl: string): string {
  const pageUrl = zipUrl.replace('/assets/', '/html5/').replace(/\.zip$/, '/?clickTag=${CLICK_URL_ENC}');
  return (
    `<iframe sandbox="${AD_SANDBOX}" src="${pageUrl}"` +
    ` style="border:0;position:absolute;inset:0;width:100%;height:100%" scrolling="no" title="Advertisement"></iframe>`
  );
}

/** The content with every address of an uploaded file resolved; an HTML5 bundle becomes the frame that shows it. */
export function resolveContent(content: CreativeContent, resolve: (address: string) => string): CreativeContent {
  switch (content.format) {
    case 'IMAGE':
      return { ...content, imageUrl: resolve(content.imageUrl) };
    case 'NATIVE':
      return {
        ...content,
        imageUrl: resolve(content.imageUrl),
        iconUrl: content.iconUrl === null ? null : resolve(content.iconUrl),
      };
    case 'VIDEO':
      return { ...content, mediaFiles: content.mediaFiles.map((file) => ({ ...file, url: resolve(file.url) })) };
    case 'AUDIO':
      return { ...content, mediaFiles: content.mediaFiles.map((file) => ({ ...file, url: resolve(file.url) })) };
    case 'HTML':
      return content.bundle === undefined ? content : { ...content, html: frameOf(resolve(content.bundle.zipUrl)) };
  }
}
