/** What the frames of a sound file say. */
export interface AudioFacts {
  readonly durationMs: number;
}

/** Formats whose frames are read here; AAC in MP4 is read as MP4 is. */
export type FramedAudio = 'mp3' | 'aac' | 'ogg' | 'wav';

const MEASURES: Readonly<Record<FramedAudio, (bytes: Buffer) => number | null>> = {
  mp3: secondsOfMp3,
  aac: secondsOfAdts,
  ogg: secondsOfOgg,
  wav: secondsOfWave,
};

/** The length of a sound file, from the first byte to the last; null for one that is cut off, damaged, or without a sound. Reads each byte at most once. */
export function readAudioFacts(bytes: Buffer, extension: FramedAudio): AudioFacts | null {
  try {
    const seconds = MEASURES[extension](bytes);
    return seconds === null || !(seconds > 0) ? null : { durationMs: Math.max(1, Math.round(seconds * 1_000)) };
  } catch (error) {
    // A read past the end of the file.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The mean bit rate of a file, kbit/s. */
export function meanBitrateKbps(sizeBytes: number, durationMs: number): number {
  return Math.max(1, Math.round((sizeBytes * 8) / durationMs));
}

/** Frames that a file has at least: fewer are found in other files by chance. */
const FRAMES_MIN = 3;
/** Twice as long as an audio ad may be. Bounds the frames that are read. */
const SECONDS_MAX = 7_200;
const PAGES_MAX = 200_000;
const CHUNKS_MAX = 1_000;
const OGG_PAGE = 0x4f676753;
const ID3_HEADER_BYTES = 10;

/** The bytes of an ID3v2 tag at the start; its size has seven bits a byte. */
function id3Bytes(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 3) !== 'ID3') return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (bytes.readUInt8(at) & 0x7f), 0);
  const hasFooter = (bytes.readUInt8(5) & 0x10) !== 0;
  return ID3_HEADER_BYTES + size + (hasFooter ? ID3_HEADER_BYTES : 0);
}

/** What may stand behind the last frame: tags of older kinds, or zeros. */
function isTail(bytes: Buffer, at: number): boolean {
  if (at >= bytes.length) return at === bytes.length;
  const name = bytes.toString('latin1', at, at + 11);
  return /^(?:TAG|APETAGEX|LYRICSBEGIN)/.test(name) || bytes.subarray(at).every((byte) => byte === 0);
}

/** Layer III, kbit/s by index: MPEG-1, then MPEG-2 and 2.5 (ISO/IEC 11172-3, 13818-3). */
const MP3_KBPS = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const MP3_RATES = [44_100, 48_000, 32_000] as const;

function secondsOfMp3(bytes: Buffer): number | null {
  let at = id3Bytes(bytes);
  let frames = 0;
  let seconds = 0;
  while (at + 4 <= bytes.length && seconds < SECONDS_MAX) {
    const frame = mp3Frame(bytes.readUInt32BE(at));
    if (frame === null) break;
    at += frame.length;
    seconds += frame.seconds;
    frames += 1;
  }
  return frames >= FRAMES_MIN && isTail(bytes, at) ? seconds : null;
}

/** A frame by its header: 11 bits of sync, version, layer, bit rate, sampling rate, padding. */
function mp3Frame(header: number): { readonly length: number; readonly seconds: number } | null {
  const version = (header >>> 19) & 3;
  const isLayer3 = ((header >>> 17) & 3) === 1;
  const kbps = MP3_KBPS[version === 3 ? 0 : 1][(header >>> 12) & 15] ?? 0;
  const base = MP3_RATES[(header >>> 10) & 3];
  if (header >>> 21 !== 0x7ff || version === 1 || !isLayer3 || kbps === 0 || base === undefined) return null;
  const rate = base / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const samples = version === 3 ? 1_152 : 576;
  return { length: Math.floor((samples * 125 * kbps) / rate) + ((header >>> 9) & 1), seconds: samples / rate };
}

const ADTS_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];

/** ADTS (ISO/IEC 13818-7): frames of 1,024 samples a block. */
function secondsOfAdts(bytes: Buffer): number | null {
  let at = id3Bytes(bytes);
  let frames = 0;
  let seconds = 0;
  while (at + 7 <= bytes.length && seconds < SECONDS_MAX) {
    const isFrame = (bytes.readUInt16BE(at) & 0xfff6) === 0xfff0;
    const rate = ADTS_RATES[(bytes.readUInt8(at + 2) >>> 2) & 15];
    const length = (bytes.readUInt32BE(at + 3) >>> 13) & 0x1fff;
    if (!isFrame || rate === undefined || length < 7) break;
    seconds += (1_024 * ((bytes.readUInt8(at + 6) & 3) + 1)) / rate;
    at += length;
    frames += 1;
  }
  return frames >= FRAMES_MIN && isTail(bytes, at) ? seconds : null;
}

/** Ogg (RFC 3533): pages up to the end of the file; the last position of the first stream, which is Opus or Vorbis. */
function secondsOfOgg(bytes: Buffer): number | null {
  let at = 0;
  let serial: number | null = null;
  let clock: { readonly rate: number; readonly skipped: number } | null = null;
  let position = 0;
  for (let pages = 0; at < bytes.length; pages += 1) {
    if (bytes.readUInt32BE(at) !== OGG_PAGE || pages >= PAGES_MAX) return null;
    const segments = bytes.readUInt8(at + 26);
    const body = at + 27 + segments;
    let length = 0;
    for (let index = 0; index < segments; index += 1) length += bytes.readUInt8(at + 27 + index);
    serial ??= bytes.readUInt32LE(at + 14);
    clock ??= oggClock(bytes, body);
    const granule = bytes.readBigInt64LE(at + 6);
    if (bytes.readUInt32LE(at + 14) === serial && granule > 0n) position = Number(granule);
    at = body + length;
  }
  if (clock === null || at !== bytes.length) return null;
  return (position - clock.skipped) / clock.rate;
}

function oggClock(bytes: Buffer, at: number): { readonly rate: number; readonly skipped: number } | null {
  if (bytes.toString('latin1', at, at + 8) === 'OpusHead')
    return { rate: 48_000, skipped: bytes.readUInt16LE(at + 10) };
  if (bytes.toString('latin1', at, at + 7) !== '\u0001vorbis') return null;
  const rate = bytes.readUInt32LE(at + 12);
  return rate === 0 ? null : { rate, skipped: 0 };
}

/** RIFF WAVE: chunks fill the file; the length is that of the data by the bytes of a second. */
function secondsOfWave(bytes: Buffer): number | null {
  const end = bytes.readUInt32LE(4) + 8;
  if (end > bytes.length) return null;
  let bytesPerSecond = 0;
  let data = 0;
  let chunks = 0;
  for (let at = 12; at + 8 <= end; chunks += 1) {
    if (chunks >= CHUNKS_MAX) return null;
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > end) return null;
    if (name === 'fmt ') bytesPerSecond = bytes.readUInt32LE(at + 16);
    if (name === 'data') data += length;
    at += 8 + length + (length % 2);
  }
  return bytesPerSecond === 0 ? null : data / bytesPerSecond;
}
