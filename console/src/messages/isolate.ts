/** Letters that are written from the right (Hebrew, Arabic and their kin), and signs that turn the direction. */
const TURNING =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}]|[\u{1e800}-\u{1efff}]/u;
const ISOLATING = /[\u2066-\u2069]/gu;
const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/** A name inside of a sentence: what it is written in turns nothing around it. Names that cannot stay as they are. */
export function isolate(name: string): string {
  return TURNING.test(name) ? `${FIRST_STRONG_ISOLATE}${name.replaceAll(ISOLATING, '')}${POP_ISOLATE}` : name;
}
