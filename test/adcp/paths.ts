/** Every value at a path such as `products[0].format_ids[*].id`; the first of a wildcard where one is wanted. */
export function valuesAt(value: unknown, path: string): unknown[] {
  const parts = path.match(/[^.[\]]+/g) ?? [];
  return parts.reduce<unknown[]>(
    (values, part) =>
      values.flatMap((one) => {
        if (typeof one !== 'object' || one === null) return [];
        if (part === '*') return Object.values(one);
        const inner = (one as Readonly<Record<string, unknown>>)[part];
        return inner === undefined ? [] : [inner];
      }),
    [value],
  );
}

/** Replaces every text in a value. */
export function mapTexts(value: unknown, map: (text: string) => unknown): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, map)]));
}

/** Whether two values are equal as JSON, whatever the order of their members. */
export function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [first, second] = [Object.entries(a), Object.entries(b)];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    first.length === second.length &&
    first.every(([key, one]) => isSame(one, (b as Readonly<Record<string, unknown>>)[key]))
  );
}

/** Whether a value has everything of another one: its members, deeply. */
export function includes(whole: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return whole === part;
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(([key, one]) => includes((whole as Readonly<Record<string, unknown>>)[key], one));
}
