import { domainToASCII } from 'node:url';

const BEYOND_ASCII = /[\u0080-\uffff]/;
/** The end of the domain of an address: `domainToASCII` leaves out what follows. */
const AFTER_DOMAIN = /[/?#\\]/;

/** A text in the form in which texts are stored and compared: Unicode's NFC. Texts of ASCII, which have one form, cost half as much. */
export function inNfc(text: string): string {
  return BEYOND_ASCII.test(text) ? text.normalize('NFC') : text;
}

/** A text as targeting compares it: NFC, lower case. */
export function foldText(text: string): string {
  return inNfc(text).toLowerCase();
}

/**
 * The one form of a domain, in which domains are stored and compared: labels of ASCII (`xn--…`, UTS 46), lower case, no dot at the end. A text that
 * has another form is only folded.
 */
export function domainForm(text: string): string {
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  if (!BEYOND_ASCII.test(name)) return name.toLowerCase();
  return (AFTER_DOMAIN.test(name) ? '' : domainToASCII(name)) || foldText(name);
}

/**
 * A JSON value whose texts are in NFC, but those under a name of `verbatim`. The value itself where nothing changes; its nesting is
 * bounded by its parser.
 */
export function inNfcExcept(value: unknown, verbatim: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return inNfc(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => inNfcExcept(item, verbatim));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let changed: Record<string, unknown> | null = null;
  for (const [name, member] of Object.entries(value)) {
    const formed = verbatim.has(name) ? member : inNfcExcept(member, verbatim);
    if (formed === member) continue;
    changed ??= { ...value };
    changed[name] = formed;
  }
  return changed ?? value;
}
