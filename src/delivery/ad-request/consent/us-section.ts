import { Base64Bits, nullIfDamaged } from './base64-bits.ts';

/** Numbers of two-bit fields of a section, in their order. Other fields follow, which decide nothing here. */
interface UsLayout {
  readonly versions: readonly number[];
  /** Notices, and what precedes them since the version. */
  readonly notices: number;
  /** Opt-outs of sale, sharing and targeted advertising. */
  readonly optOuts: number;
  readonly sensitive: number;
  readonly children: number;
  /** Trailing fields of the section's first part. */
  readonly rest: number;
  /** What a second part says, where one follows. */
  readonly secondPart: 'gpc' | 'sensitive' | null;
}

type Counts = readonly [notices: number, optOuts: number, sensitive: number, children: number, rest: number];

function layout(counts: Counts, secondPart: UsLayout['secondPart'], versions: readonly number[] = [1]): UsLayout {
  const [notices, optOuts, sensitive, children, rest] = counts;
  return { versions, notices, optOuts, sensitive, children, rest, secondPart };
}

const NATIONAL_ID = 7;
/** `usnat` of version 1 has fewer kinds of sensitive data and of children. Some encoders write the longer form with either version. */
const SHORT_NATIONAL = layout([6, 3, 12, 2, 4], 'gpc', [1]);
const LONG_NATIONAL = layout([6, 3, 16, 3, 4], 'gpc', [1, 2]);
const LONG_NATIONAL_BITS = 70;

/** By GPP section id, as registered by IAB Tech Lab. */
const STATES: ReadonlyMap<number, UsLayout> = new Map([
  [8, layout([3, 2, 9, 2, 4], 'gpc')], // California
  [9, layout([3, 2, 8, 1, 3], null)], // Virginia
  [10, layout([3, 2, 7, 1, 3], 'gpc')], // Colorado
  [11, layout([4, 2, 8, 1, 3], null)], // Utah
  [12, layout([3, 2, 8, 3, 3], 'gpc')], // Connecticut
  [13, layout([3, 2, 8, 3, 4], null)], // Florida
  [14, layout([3, 2, 8, 3, 4], 'gpc')], // Montana
  [15, layout([3, 2, 11, 3, 4], 'gpc')], // Oregon
  [16, layout([3, 2, 8, 1, 4], 'gpc')], // Texas
  [17, layout([3, 2, 9, 5, 4], 'gpc')], // Delaware
  [18, layout([4, 2, 8, 1, 3], 'gpc')], // Iowa
  [19, layout([3, 2, 8, 1, 4], 'gpc')], // Nebraska
  [20, layout([3, 2, 8, 3, 4], 'gpc')], // New Hampshire
  [21, layout([3, 2, 10, 5, 4], 'gpc')], // New Jersey
  [22, layout([3, 2, 8, 1, 4], 'gpc')], // Tennessee
  [23, layout([3, 2, 8, 1, 4], 'gpc')], // Minnesota
  [24, layout([5, 2, 0, 0, 1], 'gpc')], // Maryland
  [25, layout([5, 2, 0, 1, 1], 'sensitive')], // Indiana
  [26, layout([5, 2, 0, 1, 1], 'sensitive')], // Kentucky
  [27, layout([5, 2, 0, 1, 1], 'sensitive')], // Rhode Island
]);

const SENSITIVE_IN_SECOND_PART = 8;
const GPC_TYPE = 1;
/** Of a two-bit field: 0 not applicable, 1 opted out or no consent, 2 not opted out or consent. */
const OPTED_OUT = 1;
const UNDEFINED_VALUE = 3;

/**
 * Whether a section of a US law allows personalisation: it has no opt-out of sale, sharing or targeted advertising, none of sensitive data,
 * no Global Privacy Control, and is not about a known child. Null where the section is damaged, or its id or version unknown.
 */
export function readUsSection(id: number, section: string): boolean | null {
  const [core = '', second, ...more] = section.split('.', 3);
  const coreBits = core.length * 6;
  const national = coreBits < LONG_NATIONAL_BITS ? SHORT_NATIONAL : LONG_NATIONAL;
  const form = id === NATIONAL_ID ? national : STATES.get(id);
  if (form === undefined || more.length > 0) return null;
  return nullIfDamaged(() => {
    const allowedByCore = readCore(core, form);
    const allowedBySecond = second === undefined ? true : readSecondPart(second, form);
    if (allowedByCore === null || allowedBySecond === null) return null;
    return allowedByCore && allowedBySecond;
  });
}

function readCore(core: string, form: UsLayout): boolean | null {
  const bits = new Base64Bits(core);
  if (!form.versions.includes(bits.read(6))) return null;
  const notices = readPairs(bits, form.notices);
  const choices = readPairs(bits, form.optOuts + form.sensitive);
  const children = readPairs(bits, form.children);
  const rest = readPairs(bits, form.rest);
  if ([...notices, ...choices, ...children, ...rest].includes(UNDEFINED_VALUE)) return null;
  return !choices.includes(OPTED_OUT) && children.every((value) => value === 0);
}

function readSecondPart(part: string, form: UsLayout): boolean | null {
  const bits = new Base64Bits(part);
  if (form.secondPart === 'gpc') return bits.read(2) === GPC_TYPE ? bits.read(1) === 0 : null;
  if (form.secondPart === null) return null;
  const sensitive = readPairs(bits, SENSITIVE_IN_SECOND_PART);
  return sensitive.includes(UNDEFINED_VALUE) ? null : !sensitive.includes(OPTED_OUT);
}

function readPairs(bits: Base64Bits, count: number): number[] {
  return Array.from({ length: count }, () => bits.read(2));
}
