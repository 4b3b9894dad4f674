import { HOURS_OF_PART } from '../../domain/events/context-outcome.ts';
import type { RateContext } from '../../domain/events/context-outcome.ts';
import type { CountedKind } from '../../domain/pricing/pricing-models.ts';

/** Whose rate depends on the context. */
export interface FactOwner {
  readonly kind: CountedKind;
  readonly lineItemId: string;
  /** '' = the line item as a whole. */
  readonly creativeId: string;
}

const PART_MS = HOURS_OF_PART * 3_600_000;
const PARTS_OF_DAY = 24 / HOURS_OF_PART;

/** The facts of a context, each with its name. */
const FACTS: readonly ((context: RateContext) => string)[] = [
  ({ siteId }) => `s${siteId}`,
  ({ adUnitId }) => `u${adUnitId}`,
  ({ deviceType }) => `d${deviceType}`,
  ({ country }) => `c${country}`,
  ({ timeMs }) => `p${Math.floor(timeMs / PART_MS) % PARTS_OF_DAY}`,
];

/** A fact of one owner, as a number of 32 bits. Those of creatives are odd. */
export function hashFacts(owner: FactOwner, context: RateContext): number[] {
  const name = ownerName(owner);
  const odd = owner.creativeId === '' ? 0 : 1;
  return FACTS.map((fact) => ((hashText(`${name}/${fact(context)}`) & ~1) | odd) >>> 0);
}

/** Contexts of the same key have the same facts. */
export function contextKey(context: RateContext): string {
  return FACTS.map((fact) => fact(context)).join('\n');
}

/** Whether a fact is one of a creative. */
export function isOfCreative(fact: number): boolean {
  return (fact & 1) === 1;
}

/** The owner, as a number of 32 bits. */
export function hashOwner(owner: FactOwner): number {
  return hashText(ownerName(owner));
}

/** The name of an owner. */
export function ownerName({ kind, lineItemId, creativeId }: FactOwner): string {
  return creativeId === '' ? `${kind}/li/${lineItemId}` : `${kind}/cr/${creativeId}`;
}

/** FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // Its low bits mix badly.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}
