import { expect, test } from 'vitest';
import type { AssetExtension } from '../../../storage/assets.ts';
import { makeAac, makeM4a, makeMp3, makeOpus, makeVorbis, makeWav } from './fixtures/sounds.ts';
import { readFacts } from './read-facts.ts';
import { sniffFile } from './sniff-file.ts';
import { isWholeFile } from './whole-file.ts';

const SOUNDS: readonly (readonly [string, Buffer, AssetExtension, string, number])[] = [
  ['MP3', makeMp3(383), 'mp3', 'audio/mpeg', 10_005],
  ['AAC', makeAac(431), 'aac', 'audio/aac', 10_008],
  ['Opus', makeOpus(15), 'ogg', 'audio/ogg', 15_000],
  ['Vorbis', makeVorbis(20), 'ogg', 'audio/ogg', 20_000],
  ['WAV', makeWav(5), 'wav', 'audio/wav', 5_000],
  ['AAC in MP4', makeM4a(30_500), 'm4a', 'audio/mp4', 30_500],
];

test.each(SOUNDS)(
  '%s is recognised by its bytes, and measured',
  async (_name, bytes, extension, contentType, durationMs) => {
    const sniffed = await sniffFile(bytes);
    expect(sniffed).toEqual({ extension, width: null, height: null });
    expect(await isWholeFile(bytes, extension)).toBe(true);
    expect(await readFacts(bytes, { extension, width: null, height: null })).toEqual({
      contentType,
      width: null,
      height: null,
      durationMs,
      bitrateKbps: Math.max(1, Math.round((bytes.length * 8) / durationMs)),
      bundle: null,
    });
  },
);

test.each(SOUNDS)('%s that is cut off is refused', async (_name, bytes, extension) => {
  for (const length of [bytes.length - 1, bytes.length - 30, Math.floor(bytes.length / 2) + 1, 40, 3])
    expect([length, await isWholeFile(bytes.subarray(0, length), extension)]).toEqual([length, false]);
});

test('a tag of an older kind, or zeros, may stand behind the last frame of an MP3, and nothing else', async () => {
  const sound = makeMp3(10);
  const tail = (text: string, length = 128) => {
    const bytes = Buffer.alloc(length);
    bytes.write(text);
    return Buffer.concat([sound, bytes]);
  };
  expect(await isWholeFile(tail('TAG'), 'mp3')).toBe(true);
  expect(await isWholeFile(tail('APETAGEX'), 'mp3')).toBe(true);
  expect(await isWholeFile(tail(''), 'mp3')).toBe(true);
  expect(await isWholeFile(tail('<script>'), 'mp3')).toBe(false);
  expect(await isWholeFile(makeMp3(2), 'mp3')).toBe(false);
});
