import { fileTypeFromBuffer } from 'file-type';
import { imageSize } from 'image-size';
import type { AssetExtension } from '../../../storage/assets.ts';

/** What the bytes of a file say it is. Pixel sizes are null where they do not say (video, HTML, SVG without them). */
export interface SniffedFile {
  readonly extension: AssetExtension;
  readonly width: number | null;
  readonly height: number | null;
}

/** How far into a text file its kind is looked for. */
const HEAD_BYTES = 4_096;

const PICTURES: ReadonlySet<string> = new Set(['png', 'gif', 'jpg', 'webp', 'avif']);
const VIDEOS: ReadonlySet<string> = new Set(['mp4', 'webm']);

/** Tells the kind of a file by its bytes alone: a name or declared type proves nothing. null for anything that may not be kept. */
export async function sniffFile(bytes: Buffer): Promise<SniffedFile | null> {
  const found = (await fileTypeFromBuffer(bytes))?.ext as AssetExtension | 'xml' | undefined;
  if (found === undefined || found === 'xml') return sniffText(bytes);
  if (VIDEOS.has(found)) return { extension: found, width: null, height: null };
  return PICTURES.has(found) ? measure(bytes, found) : null;
}

/** A picture that cannot be measured is broken, and not kept; an SVG may do without a size. */
function measure(bytes: Buffer, extension: AssetExtension): SniffedFile | null {
  try {
    const { width, height } = imageSize(bytes);
    return { extension, width, height };
  } catch {
    return extension === 'svg' ? { extension, width: null, height: null } : null;
  }
}

/** SVG and HTML are text that says so at its beginning, behind comments and declarations. */
function sniffText(bytes: Buffer): SniffedFile | null {
  const head = bytes
    .toString('utf8', 0, HEAD_BYTES)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (head.includes('\0')) return null;
  const body = head.replace(/^(?:<\?xml[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE svg[^>]*>|\s)+/i, '');
  if (/^<svg[\s>]/i.test(body)) return measure(bytes, 'svg');
  return /^(?:<!doctype html|<html|<head|<body|<meta|<style|<script|<div|<a\s|<img\s)/i.test(body)
    ? { extension: 'html', width: null, height: null }
    : null;
}
