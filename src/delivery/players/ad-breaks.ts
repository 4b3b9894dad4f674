import { PlacardError } from '../../domain/errors.ts';

/** Most ad breaks in one VMAP document. */
export const BREAKS_MAX = 20;
/** Longest list of breaks that is read, in characters. */
const BREAKS_CHARS_MAX = 512;

/** A position of targeting, as players name it. */
export const ROLLS = ['preroll', 'midroll', 'postroll'] as const;
export type Roll = (typeof ROLLS)[number];

/** A break of the content in which an ad is shown. */
export interface AdBreak {
  /** As VMAP writes it: `start`, `end`, `50%`, `00:10:00` or `#2`. */
  readonly timeOffset: string;
  readonly roll: Roll;
  /** `preroll`, `midroll-1` …, `postroll`. */
  readonly breakId: string;
}

const PERCENT = /^(?:100|\d{1,2})%$/;
const CLOCK = /^\d{2}:[0-5]\d:[0-5]\d(?:\.\d{3})?$/;
const NUMBERED = /^#[1-9]\d{0,3}$/;
const GRAMMAR = 'start, end, a percentage (50%), a time (00:10:00 or 00:10:00.500) or a number of a break (#2)';

/**
 * Reads a list of breaks, such as `start,50%,00:10:00,end`, in its order. An empty list is the pre-roll.
 * @throws PlacardError `invalid_request` for a break in another form, one that is listed twice, and more than `BREAKS_MAX`
 */
export function parseAdBreaks(text: string): AdBreak[] {
  if (text.length > BREAKS_CHARS_MAX) throw invalid(`must have at most ${BREAKS_CHARS_MAX} characters`);
  const offsets = (text === '' ? 'start' : text).split(',').map((one) => one.trim().toLowerCase());
  if (offsets.length > BREAKS_MAX) throw invalid(`must have at most ${BREAKS_MAX} breaks`);
  let midRolls = 0;
  return offsets.map((timeOffset, index) => {
    const roll = rollOf(timeOffset);
    if (roll === null) throw invalid(`has ${JSON.stringify(timeOffset.slice(0, 32))}; a break is ${GRAMMAR}`);
    if (offsets.indexOf(timeOffset) < index) throw invalid(`has ${timeOffset} twice; list each break once`);
    if (roll !== 'midroll') return { timeOffset, roll, breakId: roll };
    midRolls += 1;
    return { timeOffset, roll, breakId: `midroll-${midRolls}` };
  });
}

function rollOf(timeOffset: string): Roll | null {
  if (timeOffset === 'start') return 'preroll';
  if (timeOffset === 'end') return 'postroll';
  return PERCENT.test(timeOffset) || CLOCK.test(timeOffset) || NUMBERED.test(timeOffset) ? 'midroll' : null;
}

function invalid(problem: string): PlacardError {
  return new PlacardError('invalid_request', `breaks ${problem}.`);
}
