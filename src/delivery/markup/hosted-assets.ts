import type { CreativeContent } from '../../domain/booking/creative.ts';
import type { Placement } from '../decision/decision.ts';
import type { CompiledCreative } from '../decision/index/compile-line-items.ts';

/** Resolved creatives by their compiled form; an entry goes when its snapshot does. One delivery address a process. */
const resolved = new WeakMap<CompiledCreative, CompiledCreative>();

/**
 * Files that this service hosts are stored as paths (`/assets/…`), so that they survive a change of the public address. This is the
 * placement with those paths made addresses below `deliveryUrl`.
 */
export function resolveHostedAssets(placement: Placement, deliveryUrl: string): Placement {
  const { creative: compiled } = placement;
  let creative = resolved.get(compiled);
  if (creative === undefined) {
    const content = resolveContent(compiled.creative.content, (address) =>
      address.startsWith('/assets/') ? deliveryUrl + address : address,
    );
    creative = { ...compiled, creative: { ...compiled.creative, content } };
    resolved.set(compiled, creative);
  }
  return { ...placement, creative };
}

function resolveContent(content: CreativeContent, resolve: (address: string) => string): CreativeContent {
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
    case 'HTML':
      return content;
  }
}
