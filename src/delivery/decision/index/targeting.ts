import { formatSize } from '../../../domain/booking/inventory.ts';
import { type Targeting, type TargetingTest, testsOf } from '../../../domain/targeting/targeting.ts';
import { dimensionRow, valuesOf } from '../../../domain/targeting/targeting-dimensions.ts';
import type { DimensionFacts, TargetingDimension } from '../../../domain/targeting/targeting-dimensions.ts';
import { comparedValues, splitConjuncts } from '../../../domain/targeting/targeting-conjuncts.ts';
import { foldText } from '../../../domain/text/one-form.ts';
import type { LocalMoment } from './local-clock.ts';
import type { Opportunity, Slot } from '../../../domain/requests/opportunity.ts';

/** The input of targeting tests: one slot of one opportunity. Texts are in NFC and lower case. */
export interface TargetingFacts extends DimensionFacts {
  readonly opportunity: Opportunity;
  readonly slot: Slot;
  /** Local time in the time zone of the line item that is tested. */
  localMoment(timezone: string): LocalMoment;
}

/** The facts of one slot of an opportunity. */
export function targetingFacts(
  opportunity: Opportunity,
  slot: Slot,
  localMoment: TargetingFacts['localMoment'],
): TargetingFacts {
  return {
    opportunity,
    slot,
    sizes: slot.sizes.map(formatSize),
    deals: (slot.deals ?? []).map(({ code }) => foldText(code)),
    localMoment,
  };
}

/** True when the targeting of a line item admits the facts. */
export type Predicate = (facts: TargetingFacts) => boolean;

/** Compiles a tree to a test. `timezone` is the line item's, for day-parts. An empty `all` admits everything, an empty `any` nothing. */
export function compilePredicate(tree: Targeting, timezone: string): Predicate {
  if ('all' in tree) {
    const tests = tree.all.map((child) => compilePredicate(child, timezone));
    return (facts) => tests.every((test) => test(facts));
  }
  if ('any' in tree) {
    const tests = tree.any.map((child) => compilePredicate(child, timezone));
    return (facts) => tests.some((test) => test(facts));
  }
  if ('not' in tree) {
    const test = compilePredicate(tree.not, timezone);
    return (facts) => !test(facts);
  }
  return dimensionRow(tree.dimension).values === null ? compileDayPart(tree, timezone) : compileTest(tree);
}

function compileTest(test: TargetingTest): Predicate {
  const { dimension, operator } = test;
  const key = foldText(test.key ?? '');
  const wanted = comparedValues(test);
  const wantedSet = new Set(wanted);
  switch (operator) {
    case 'is':
      return (facts) => valuesOf(facts, dimension, key).some((value) => wantedSet.has(value));
    case 'isNot':
      return (facts) => !valuesOf(facts, dimension, key).some((value) => wantedSet.has(value));
    case 'beginsWith':
      return (facts) => valuesOf(facts, dimension, key).some((value) => wanted.some((text) => value.startsWith(text)));
    case 'contains':
      return (facts) => valuesOf(facts, dimension, key).some((value) => wanted.some((text) => value.includes(text)));
  }
}

const DAY_PART = /^([1-7])(?:-([1-7]))?(?:\s+(\d{1,2}):(\d{2})-(\d{1,2}):(\d{2}))?$/;

interface Span {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly startMinute: number;
  readonly endMinute: number;
}

/**
 * Day-part values are "1-5 08:00-18:00", "6", "7 20:00-24:00": days 1 = Monday … 7 = Sunday, end exclusive, in the line
 * item's time zone. A value of another form never matches.
 */
function compileDayPart(test: TargetingTest, timezone: string): Predicate {
  const spans = test.values.map(parseDayPart).filter((span) => span !== null);
  const isWithin: Predicate = (facts) => {
    const { weekday, minute } = facts.localMoment(timezone);
    return spans.some((span) => isInSpan(span, weekday, minute));
  };
  return test.operator === 'isNot' ? (facts) => !isWithin(facts) : isWithin;
}

function parseDayPart(text: string): Span | null {
  const match = DAY_PART.exec(text.trim());
  if (match === null) return null;
  const firstDay = Number(match[1]);
  return {
    firstDay,
    lastDay: match[2] === undefined ? firstDay : Number(match[2]),
    startMinute: match[3] === undefined ? 0 : Number(match[3]) * 60 + Number(match[4]),
    endMinute: match[5] === undefined ? 1_440 : Number(match[5]) * 60 + Number(match[6]),
  };
}

function isInSpan(span: Span, weekday: number, minute: number): boolean {
  const inDays =
    span.firstDay <= span.lastDay
      ? weekday >= span.firstDay && weekday <= span.lastDay
      : weekday >= span.firstDay || weekday <= span.lastDay;
  return inDays && minute >= span.startMinute && minute < span.endMinute;
}

/** The dimensions of a tree, each once, in the order of appearance: the "why" page names them. */
export function dimensionsOf(targeting: Targeting | null): TargetingDimension[] {
  return [...new Set(testsOf(targeting).map(({ dimension }) => dimension))];
}

/** The first dimension on which a tree fails; null when the tree admits the facts. For explanations, not for the hot path. */
export function findFailedDimension(
  targeting: Targeting | null,
  timezone: string,
  facts: TargetingFacts,
): TargetingDimension | null {
  for (const { tree } of splitConjuncts(targeting)) {
    if (!compilePredicate(tree, timezone)(facts)) return dimensionsOf(tree)[0] ?? 'site';
  }
  return null;
}
