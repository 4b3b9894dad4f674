import type { AssetExtension } from '../../storage/assets.ts';

/** What the bytes of a file say it is. Pixel sizes are null where they do not say (video, HTML, SVG without them). */
export interface SniffedFile {
  readonly extension: AssetExtension;
  readonly width: number | null;
  readonly height: number | null;
}

/** How far into a text file its kind is looked for. */
const HEAD_BYTES = 4_096;

/**
 * Tells the kind of a file by its bytes alone: a name or declared type proves nothing. null for anything that may not be kept.
 * Sources: PNG 1.2 §4.1, GIF89a §18, JPEG T.81 B.2.2, WebP container, ISO 14496-12 `ftyp`, Matroska EBML.
 */
export function sniffFile(bytes: Buffer): SniffedFile | null {
  return (
    sniffPng(bytes) ??
    sniffGif(bytes) ??
    sniffJpeg(bytes) ??
    sniffWebp(bytes) ??
    sniffContainer(bytes) ??
    sniffText(bytes)
  );
}

function sniffPng(bytes: Buffer): SniffedFile | null {
  if (bytes.length < 24 || bytes.readUInt32BE(0) !== 0x89504e47 || bytes.toString('latin1', 12, 16) !== 'IHDR')
    return null;
  return { extension: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function sniffGif(bytes: Buffer): SniffedFile | null {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return null;
  return { extension: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** Walks over the segments to the frame header, which has the size. */
function sniffJpeg(bytes: Buffer): SniffedFile | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { extension: 'jpg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

function sniffWebp(bytes: Buffer): SniffedFile | null {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return null;
  const chunk = bytes.toString('latin1', 12, 16);
  if (chunk === 'VP8X')
    return { extension: 'webp', width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (chunk === 'VP8 ')
    return { extension: 'webp', width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (chunk !== 'VP8L') return null;
  const packed = bytes.readUInt32LE(21);
  return { extension: 'webp', width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 };
}

function sniffContainer(bytes: Buffer): SniffedFile | null {
  if (bytes.length < 16) return null;
  if (bytes.toString('latin1', 4, 8) === 'ftyp') {
    const brand = bytes.toString('latin1', 8, 12);
    const extension = brand === 'avif' || brand === 'avis' ? 'avif' : 'mp4';
    return { extension, width: null, height: null };
  }
  const isWebm = bytes.readUInt32BE(0) === 0x1a45dfa3 && bytes.subarray(0, 64).includes('webm');
  return isWebm ? { extension: 'webm', width: null, height: null } : null;
}

function sniffText(bytes: Buffer): SniffedFile | null {
  const head = bytes
    .toString('utf8', 0, HEAD_BYTES)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (head.includes('\0')) return null;
  const body = head.replace(/^(?:<\?xml[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE svg[^>]*>|\s)+/i, '');
  if (/^<svg[\s>]/i.test(body)) return sniffSvg(body);
  return /^(?:<!doctype html|<html|<head|<body|<meta|<style|<script|<div|<a\s|<img\s)/i.test(body)
    ? { extension: 'html', width: null, height: null }
    : null;
}

function sniffSvg(text: string): SniffedFile {
  const tag = /^<svg[^>]*>/i.exec(text)?.[0] ?? '';
  const side = (name: string): number | null => {
    const found = new RegExp(`\\s${name}\\s*=\\s*["']\\s*(\\d{1,5})(?:\\.\\d+)?(?:px)?\\s*["']`, 'i').exec(tag)?.[1];
    return found === undefined ? null : Number(found);
  };
  const box = /\sviewBox\s*=\s*["']\s*[\d.-]+[\s,]+[\d.-]+[\s,]+(\d{1,5})(?:\.\d+)?[\s,]+(\d{1,5})/i.exec(tag);
  return { extension: 'svg', width: side('width') ?? numberOf(box?.[1]), height: side('height') ?? numberOf(box?.[2]) };
}

function numberOf(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}
