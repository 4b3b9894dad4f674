/** What the header of a video says. */
export interface VideoFacts {
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
}

interface Box {
  readonly type: string;
  readonly body: Buffer;
}

/** Most boxes of one level that are looked at. */
const BOXES_MAX = 1_000;

/** Reads the length and the pixels of an MP4 file: `mvhd`, and the largest `tkhd` (ISO/IEC 14496-12). The structure is checked before. */
export function readVideoFacts(bytes: Buffer): VideoFacts {
  const movie = boxesOf(bytes).find(({ type }) => type === 'moov');
  if (movie === undefined) return { width: null, height: null, durationMs: null };
  const parts = boxesOf(movie.body);
  const header = parts.find(({ type }) => type === 'mvhd');
  const sizes = parts
    .filter(({ type }) => type === 'trak')
    .flatMap(({ body }) => boxesOf(body).filter(({ type }) => type === 'tkhd'))
    .flatMap(({ body }) => (body.length < 8 ? [] : [sizeOf(body)]))
    .toSorted((a, b) => b.width * b.height - a.width * a.height);
  const [size] = sizes.filter(({ width, height }) => width > 0 && height > 0);
  return {
    width: size?.width ?? null,
    height: size?.height ?? null,
    durationMs: header === undefined ? null : durationOf(header.body),
  };
}

function boxesOf(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= bytes.length && boxes.length < BOXES_MAX; ) {
    const size = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const isLong = size === 1 && at + 16 <= bytes.length;
    const length = size === 0 ? bytes.length - at : isLong ? Number(bytes.readBigUInt64BE(at + 8)) : size;
    if (length < 8) break;
    boxes.push({ type, body: bytes.subarray(at + (isLong ? 16 : 8), at + length) });
    at += length;
  }
  return boxes;
}

function durationOf(body: Buffer): number | null {
  const isLong = body[0] === 1;
  if (body.length < (isLong ? 32 : 20)) return null;
  const scale = body.readUInt32BE(isLong ? 20 : 12);
  const units = isLong ? Number(body.readBigUInt64BE(24)) : body.readUInt32BE(16);
  return scale === 0 || units === 0 ? null : Math.round((units / scale) * 1_000);
}

/** Width and height are the last eight bytes, as 16.16 fixed-point numbers. */
function sizeOf(body: Buffer): { width: number; height: number } {
  return { width: body.readUInt32BE(body.length - 8) >>> 16, height: body.readUInt32BE(body.length - 4) >>> 16 };
}
