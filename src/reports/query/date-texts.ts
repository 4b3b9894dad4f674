import { queryProblem } from '../model/member-index.ts';
import { parseRelativeRange, resolveDateRange, type DateRange, type QueryClock } from './date-range.ts';

/** Characters of the different date texts of one request. A search for a date in 200 hostile characters takes 30 ms. */
export const DATE_TEXTS_CHARS_MAX = 2_000;

/** Reads the date texts of one request: each once, however often it is compared or blended, and only so many in all. */
export class DateTexts {
  readonly #known = new Map<string, DateRange>();
  #chars = 0;

  /** Texts that were read. */
  get readCount(): number {
    return this.#known.size;
  }

  /**
   * As `resolveDateRange`. The clocks of one request differ in their zone alone.
   * @throws PlacardError `invalid_request` for a text that is not a date, and past {@link DATE_TEXTS_CHARS_MAX}
   */
  resolve(input: string | readonly string[], clock: QueryClock): DateRange {
    if (typeof input !== 'string') return resolveDateRange(input, clock);
    const key = `${clock.timezone} ${input}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#chars += input.length;
    if (this.#chars > DATE_TEXTS_CHARS_MAX) {
      throw queryProblem(
        'invalid_date',
        `The different date texts of a request may hold at most ${DATE_TEXTS_CHARS_MAX} characters in all. ` +
          'Write ranges as ["YYYY-MM-DD", "YYYY-MM-DD"], or send several requests.',
      );
    }
    const range = parseRelativeRange(input, clock);
    this.#known.set(key, range);
    return range;
  }
}
