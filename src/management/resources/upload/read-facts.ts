import type { AssetFacts } from '../../../domain/booking/asset-facts.ts';
import { scanCode } from '../../../domain/booking/creative-scan.ts';
import { PlacardError } from '../../../domain/errors.ts';
import { ASSET_TYPES } from '../../../storage/assets.ts';
import { type Bundle, BundleRefused, openBundle } from '../../../storage/bundles/open-bundle.ts';
import type { SniffedFile } from './sniff-file.ts';
import { readVideoFacts } from './video-facts.ts';

/** What the bytes of a file say. @throws PlacardError `invalid_request` for an HTML5 bundle that cannot be served */
export async function readFacts(bytes: Buffer, { extension, width, height }: SniffedFile): Promise<AssetFacts> {
  const contentType = ASSET_TYPES[extension];
  if (extension === 'mp4') return { contentType, bundle: null, ...readVideoFacts(bytes) };
  if (extension !== 'zip') return { contentType, width, height, durationMs: null, bundle: null };
  const bundle = await openOrRefuse(bytes);
  const { entry, clickTag, unpackedBytes, files } = bundle;
  const scan = scanCode(codeOf(bundle));
  return {
    contentType,
    ...statedSize(files.get(entry)?.toString('utf8') ?? ''),
    durationMs: null,
    bundle: { entry, clickTag, files: files.size, unpackedBytes, scan },
  };
}

async function openOrRefuse(bytes: Buffer): Promise<Bundle> {
  try {
    return await openBundle(bytes);
  } catch (error) {
    if (error instanceof BundleRefused) throw new PlacardError('invalid_request', error.message, { cause: error });
    throw error;
  }
}

function codeOf({ files }: Bundle): string {
  const texts = [...files].filter(([path]) => /\.(?:html?|m?js|css|json|svg)$/i.test(path));
  return texts.map(([, content]) => content.toString('utf8')).join('\n');
}

/** `<meta name="ad.size" content="width=300,height=250">`, as ad servers have it. */
function statedSize(page: string): { width: number | null; height: number | null } {
  const tag = /<meta\s[^>]*name\s*=\s*["']?ad\.size["']?[^>]*>/i.exec(page)?.[0] ?? '';
  const [, width, height] = /width\s*=\s*(\d{1,5})\s*,\s*height\s*=\s*(\d{1,5})/i.exec(tag) ?? [];
  return width === undefined || height === undefined
    ? { width: null, height: null }
    : { width: Number(width), height: Number(height) };
}
