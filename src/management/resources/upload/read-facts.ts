import type { AssetFacts } from '../../../domain/booking/asset-facts.ts';
import { scanCode } from '../../../domain/booking/creative-scan.ts';
import { PlacardError } from '../../../domain/errors.ts';
import { ASSET_TYPES, type AssetExtension } from '../../../storage/assets.ts';
import { type Bundle, BundleRefused, openBundle } from '../../../storage/bundles/open-bundle.ts';
import { findStatedSize, HEAD_BYTES_MAX } from '../../../storage/bundles/page-tags.ts';
import { type FramedAudio, meanBitrateKbps, readAudioFacts } from './audio-facts.ts';
import type { SniffedFile } from './sniff-file.ts';
import { readVideoFacts } from './video-facts.ts';

/** What the bytes of a file say. @throws PlacardError `invalid_request` for an HTML5 bundle that cannot be served */
export async function readFacts(bytes: Buffer, { extension, width, height }: SniffedFile): Promise<AssetFacts> {
  const contentType = ASSET_TYPES[extension];
  if (extension === 'mp4') return { contentType, bundle: null, ...readVideoFacts(bytes) };
  if (contentType.startsWith('audio/')) {
    const durationMs = soundMs(bytes, extension);
    const bitrateKbps = durationMs === null ? null : meanBitrateKbps(bytes.length, durationMs);
    return { contentType, width: null, height: null, durationMs, bitrateKbps, bundle: null };
  }
  if (extension !== 'zip') return { contentType, width, height, durationMs: null, bundle: null };
  const bundle = await openOrRefuse(bytes);
  const { entry, clickTag, unpackedBytes, files, leftOut } = bundle;
  const scan = scanCode(codeOf(bundle));
  return {
    contentType,
    ...(findStatedSize(files.get(entry)?.toString('latin1', 0, HEAD_BYTES_MAX) ?? '') ?? { width: null, height: null }),
    durationMs: null,
    bundle: { entry, clickTag, files: files.size, leftOut, unpackedBytes, scan },
  };
}

function soundMs(bytes: Buffer, extension: AssetExtension): number | null {
  if (extension === 'm4a') return readVideoFacts(bytes).durationMs;
  return readAudioFacts(bytes, extension as FramedAudio)?.durationMs ?? null;
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
