/** Old libraries (Prototype.js) give these a `toJSON` that turns a list inside of an object into a text. */
const PROTOTYPES: readonly object[] = [Array.prototype, String.prototype, Number.prototype];

/** A value as JSON, whatever the page's libraries make of JSON. */
export function pageJson(value: unknown): string {
  const theirs = PROTOTYPES.map((one) => Object.getOwnPropertyDescriptor(one, 'toJSON'));
  for (const one of PROTOTYPES as { toJSON?: unknown }[]) delete one.toJSON;
  const text = JSON.stringify(value);
  PROTOTYPES.forEach((one, at) => theirs[at] && Object.defineProperty(one, 'toJSON', theirs[at]));
  return text;
}
