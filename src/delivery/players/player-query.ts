import { PLAYER_PARAMETERS } from './player-parameters.schema.ts';
import type { PlayerParameterKey } from './player-parameters.schema.ts';

/** A placeholder that a player should have replaced: `[NAME]`, `${NAME}`, `{NAME}`, `{{NAME}}`, `%%NAME%%` or `__NAME__`. */
const UNFILLED = /^(?:\[[^[\]]*\]|\$?\{\{?[^{}]*\}?\}|%%[^%]*%%|__[A-Z_]+__)$/;

function isFilled(value: string): boolean {
  return !UNFILLED.test(value);
}

/** The query of an address of players, by the names of {@link PLAYER_PARAMETERS}. Of a parameter that is repeated, the first counts. */
export class PlayerQuery {
  readonly #given: URLSearchParams;

  /** @param query as received, without the `?` */
  constructor(query: string) {
    this.#given = new URLSearchParams(query);
  }

  /** The text of a parameter; '' when it is absent or an unfilled placeholder. */
  text(key: PlayerParameterKey): string {
    return this.#first(key, isFilled)[1];
  }

  /** The text of a privacy signal, for parsers to which a placeholder must not mean "absent"; undefined when it is absent. */
  signal(key: PlayerParameterKey): string | undefined {
    const [, value] = this.#first(key, () => true);
    return value === '' ? undefined : value;
  }

  /** A flag of several names: the first of their values that is not 0, else 0; undefined when all are absent. */
  strictestFlag(key: PlayerParameterKey): string | undefined {
    const values = PLAYER_PARAMETERS[key][0].map((name) => this.#given.get(name) ?? '').filter((value) => value !== '');
    return values.find((value) => value !== '0') ?? values[0];
  }

  /** The name by which the caller gave the text of a parameter; without it, its first name. */
  nameOf(key: PlayerParameterKey): string {
    return this.#first(key, isFilled)[0];
  }

  #first(key: PlayerParameterKey, counts: (value: string) => boolean): readonly [name: string, value: string] {
    const names: readonly string[] = PLAYER_PARAMETERS[key][0];
    for (const name of names) {
      const value = this.#given.get(name)?.trim() ?? '';
      if (value !== '' && counts(value)) return [name, value];
    }
    return [names[0] ?? key, ''];
  }
}
