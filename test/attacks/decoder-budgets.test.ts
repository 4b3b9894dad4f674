/** A new decoder of strangers' bytes is a row of `ad-path-decoders.ts` or `core-decoders.ts`. */
import { expect, test } from 'vitest';
import { cpuMsOf } from '../support/cpu-time.ts';
import { DRAW_SEED } from '../support/draw-seed.ts';
import { TRIES_ALL } from '../support/longer-runs.ts';
import { AD_PATH_DECODERS } from './ad-path-decoders.ts';
import { CORE_DECODERS } from './core-decoders.ts';
import type { Decoder } from './decoder.ts';

const AD_PATH_MS = 5;
const CORE_MS = 100;
const TIMEOUT_MS = 300_000;
/** Texts that are tried again while they are over the budget: compilation and a busy machine lengthen the first runs. */
const RUNS = 6;
const RANDOM_TEXTS = 20;
/** Besides the attacks, one text in so many is tried; with `DRAWS=all`, each. */
const ONE_IN = TRIES_ALL ? 1 : 20;

/** Characters that many grammars give a meaning to. */
const CHARACTERS = [...' \t\n\0aA0_(){}[],;:=/.-~%"\'<>\\@&?*+|#$'.split(''), '\u0130', '\ud800', '😀'];

/** Texts of the greatest length: one word or two again and again, with an end that breaks off, and words at random. */
function* textsOf({ words, charsMax }: Decoder): Generator<string> {
  const repeat = (text: string, end = ''): string =>
    text.repeat(Math.ceil(charsMax / text.length)).slice(0, charsMax - end.length) + end;
  const known = [...words, ...CHARACTERS];
  for (const word of known) yield* [repeat(word), repeat(word, '\u0001')];
  for (const first of words) {
    yield first + repeat(' ', 'x').slice(first.length);
    for (const second of words)
      if (first !== second) yield* [repeat(first + second), (first + repeat(second)).slice(0, charsMax)];
  }
  for (const open of words) yield (repeat(open).slice(0, charsMax / 2) + repeat(words.at(-1) ?? '')).slice(0, charsMax);
  let state = DRAW_SEED >>> 0;
  const random = (max: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
  for (let count = 0; count < RANDOM_TEXTS; count += 1) {
    let text = '';
    while (text.length < charsMax) text += known[random(known.length)] ?? '';
    yield text.slice(0, charsMax);
  }
}

function* drawnTexts(decoder: Decoder): Generator<string> {
  for (const attack of decoder.attacks ?? []) yield attack.slice(0, decoder.charsMax);
  let at = DRAW_SEED % ONE_IN;
  for (const text of textsOf(decoder)) if ((at += 1) % ONE_IN === 0) yield text;
}

test.each([
  ...AD_PATH_DECODERS.map((decoder) => [decoder.name, AD_PATH_MS, decoder] as const),
  ...CORE_DECODERS.map((decoder) => [decoder.name, CORE_MS, decoder] as const),
])(
  'a decoder keeps its CPU budget for any text: %s within %d ms',
  async (_name, budgetMs, decoder) => {
    const over: string[] = [];
    for (const text of drawnTexts(decoder)) {
      let ms = Infinity;
      // Another last character keeps caches out of the measure.
      for (let run = 0; run < RUNS && ms > budgetMs; run += 1) {
        const other = text.slice(0, -1) + String.fromCodePoint(97 + run);
        ms = Math.min(ms, await cpuMsOf(() => decoder.decode(run === 0 ? text : other)));
      }
      if (ms > budgetMs) over.push(`${ms.toFixed(1)} ms for ${JSON.stringify(text.slice(0, 80))}`);
      if (over.length > 4) break;
    }
    expect(over, `PROPERTY_SEED=${DRAW_SEED}`).toEqual([]);
  },
  TIMEOUT_MS,
);
