import type { OlapParam } from '../../storage/olap/olap.ts';

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

  /** An instant as `DateTime64(3, 'UTC')`. */
  bindInstant(epochMs: number): string {
    const text = new Date(epochMs).toISOString().slice(0, 23).replace('T', ' ');
    return `toDateTime64(${this.bind('String', text)}, 3, 'UTC')`;
  }
}
