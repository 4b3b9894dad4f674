import type { OlapParam } from '../../storage/olap/olap.ts';

/** After the last second of `DateTime`. */
const SECONDS_END = 2 ** 32;

/** Collects the bound values of one statement: no text of a client ever becomes SQL. */
export class SqlParams {
  readonly values: Record<string, OlapParam> = {};
  #count = 0;

  /** Binds a value and returns its placeholder, such as `{p0:String}`. */
  bind(type: string, value: OlapParam): string {
    const name = `p${this.#count}`;
    this.#count += 1;
    this.values[name] = value;
    return `{${name}:${type}}`;
  }

  /**
   * An instant as `DateTime('UTC')` where it is a whole second of that type's range (columns of seconds are then compared as they
   * are, which takes a third less time), else as `DateTime64(3, 'UTC')`.
   */
  bindInstant(epochMs: number): string {
    const seconds = epochMs / 1000;
    if (Number.isInteger(seconds) && seconds >= 0 && seconds < SECONDS_END) {
      return `toDateTime(${this.bind('UInt32', seconds)}, 'UTC')`;
    }
    const text = new Date(epochMs).toISOString().slice(0, 23).replace('T', ' ');
    return `toDateTime64(${this.bind('String', text)}, 3, 'UTC')`;
  }
}
