import type { PlacardKeyValues, PlacardSlot, PlacardSlotOptions } from '../tag.d.ts';
import type { Size } from './settings.ts';

/** Key-values that a page sets by a call, of an ad unit's element or of the tag's script. */
const targeting = new WeakMap<Element, PlacardKeyValues>();

/** Sets a key-value of an element. */
export function setTargeting(element: Element, key: string, value: string | readonly string[]): void {
  targeting.set(element, { ...targeting.get(element), [key]: value });
}

/** Sets all key-values of an element that a page sets by calls. */
export function replaceTargeting(element: Element, values: PlacardKeyValues): void {
  targeting.set(element, values);
}

/** The key-values of an element: its attributes `data-kv-<name>`, and what the page has set. */
export function keyValuesOf(element: Element): PlacardKeyValues {
  const found: Record<string, string | readonly string[]> = {};
  for (const { name, value } of element.attributes) if (name.startsWith('data-kv-')) found[name.slice(8)] = value;
  return { ...found, ...targeting.get(element) };
}

/** An ad unit that a page defines by a call. Its element may come later, before it is displayed. */
export class Slot implements PlacardSlot {
  readonly #where: string | HTMLElement;
  readonly #data: Readonly<Record<string, string>>;
  readonly #keyValues: [string, string | readonly string[]][] = [];

  constructor(data: Readonly<Record<string, string>>, where: string | HTMLElement) {
    this.#data = data;
    this.#where = where;
  }

  setTargeting(key: string, value: string | readonly string[]): this {
    this.#keyValues.push([key, value]);
    const { element } = this;
    if (element) setTargeting(element, key, value);
    return this;
  }

  get element(): HTMLElement | null {
    return elementOf(this.#where);
  }

  /** Makes its element an ad unit. */
  show(): void {
    const { element } = this;
    if (!element) throw new Error(`placard: no element #${this.#where as string}`);
    Object.assign(element.dataset, this.#data);
    for (const [key, value] of this.#keyValues) setTargeting(element, key, value);
  }
}

/** The element of an id; an element is itself. */
export function elementOf(where: string | HTMLElement): HTMLElement | null {
  return typeof where === 'string' ? document.getElementById(where) : where;
}

/** The attributes of an ad unit. Sizes are those of `data-sizes`, or one or more pairs of width and height. */
export function dataOf(
  adUnit: string,
  sizes: string | Size | readonly Size[],
  options: PlacardSlotOptions,
): Record<string, string> {
  const list =
    typeof sizes === 'string'
      ? sizes
      : (typeof sizes[0] === 'number' ? [sizes as Size] : (sizes as Size[])).map((one) => one.join('x')).join();
  const data: Record<string, string> = list === '' ? { adUnit } : { adUnit, sizes: list };
  for (const [name, value] of Object.entries(options)) if (value !== undefined) data[name] = String(value);
  return data;
}
