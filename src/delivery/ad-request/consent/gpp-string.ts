import { Base64Bits, nullIfDamaged } from './base64-bits.ts';

/** A section of a GPP string. */
export interface GppSection {
  readonly id: number;
  readonly text: string;
}

const HEADER_TYPE = 3;
const HEADER_VERSION = 1;
/** Ids beyond are not registered. A header with such an id is damaged. */
const SECTION_ID_MAX = 63;

/** Sections of a GPP string; null where its header is damaged, or names other sections than follow. */
export function readGppSections(gpp: string): GppSection[] | null {
  const [header = '', ...texts] = gpp.split('~', SECTION_ID_MAX + 2);
  const ids = nullIfDamaged(() => readSectionIds(header));
  if (ids === null || ids.length !== texts.length) return null;
  return ids.map((id, index) => ({ id, text: texts[index] ?? '' }));
}

function readSectionIds(header: string): number[] | null {
  const bits = new Base64Bits(header);
  if (bits.read(6) !== HEADER_TYPE || bits.read(6) !== HEADER_VERSION) return null;
  const groups = bits.read(12);
  const ids: number[] = [];
  let last = 0;
  for (let group = 0; group < groups; group += 1) {
    const isRange = bits.read(1) === 1;
    const first = last + readFibonacci(bits);
    last = isRange ? first + readFibonacci(bits) : first;
    if (last > SECTION_ID_MAX) return null;
    for (let id = first; id <= last; id += 1) ids.push(id);
  }
  return ids;
}

/** A Fibonacci-coded integer of at least 1, which ends with two 1 bits; one beyond the greatest section id is some number beyond it. */
function readFibonacci(bits: Base64Bits): number {
  let [weight, nextWeight] = [1, 2];
  let value = 0;
  let previous = 0;
  while (value <= SECTION_ID_MAX && weight <= SECTION_ID_MAX) {
    const bit = bits.read(1);
    if (bit === 1 && previous === 1) return value;
    if (bit === 1) value += weight;
    previous = bit;
    [weight, nextWeight] = [nextWeight, weight + nextWeight];
  }
  return bits.read(1) === 1 && previous === 1 ? value : SECTION_ID_MAX + 1;
}
