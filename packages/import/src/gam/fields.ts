/** The members of an object of the API. Both forms are read: that of the SOAP services as JSON, and that of the REST API. */
export class Fields {
  readonly #members: Readonly<Record<string, unknown>>;

  private constructor(members: Readonly<Record<string, unknown>>) {
    this.#members = members;
  }

  /** Null where the value is not an object. */
  static of(value: unknown): Fields | null {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return new Fields(value as Readonly<Record<string, unknown>>);
  }

  get names(): string[] {
    return Object.keys(this.#members);
  }

  /** The first of these members that is a text or a number; null: none is. */
  text(...names: readonly string[]): string | null {
    for (const name of names) {
      const value = this.#own(name);
      if (typeof value === 'number' || typeof value === 'bigint') return String(value);
      if (typeof value === 'string' && value.trim() !== '') return value.trim();
    }
    return null;
  }

  /** A text, or an empty one. */
  textOr(...names: readonly string[]): string {
    return this.text(...names) ?? '';
  }

  /** A number that is not negative; null: there is none. */
  number(...names: readonly string[]): number | null {
    const value = Number(this.text(...names) ?? Number.NaN);
    return Number.isFinite(value) && value >= 0 ? value : null;
  }

  flag(...names: readonly string[]): boolean {
    return names.some((name) => this.#own(name) === true);
  }

  child(...names: readonly string[]): Fields | null {
    for (const name of names) {
      const found = Fields.of(this.#own(name));
      if (found !== null) return found;
    }
    return null;
  }

  /** The objects of a list; a single object is a list of one, as some SOAP clients write it. */
  children(name: string): Fields[] {
    const value = this.#own(name);
    return (Array.isArray(value) ? value : [value]).flatMap((one) => Fields.of(one) ?? []);
  }

  texts(name: string): string[] {
    const value = this.#own(name);
    return (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((one) =>
      typeof one === 'string' || typeof one === 'number' ? [String(one)] : [],
    );
  }

  /** Whether the member has something to say: not null, not an empty list, not an object of such. */
  has(name: string): boolean {
    return isSaid(this.#own(name));
  }

  #own(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
  }
}

function isSaid(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === 'object' ? Object.values(value).some(isSaid) : true;
}

/** The id in a resource name such as `networks/1/orders/2`; other texts are ids themselves. */
export const idOf = (text: string | null): string => text?.slice(text.lastIndexOf('/') + 1) ?? '';
