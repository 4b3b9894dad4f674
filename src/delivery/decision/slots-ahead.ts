import type { CompiledLineItem } from './index/compile-line-items.ts';
import type { CompiledWorkspace } from './index/compiled-workspace.ts';
import { refuseCreative } from './creative-fit.ts';
import type { DecideContext } from './decision.ts';
import { checkLineItem } from './eligibility.ts';
import type { ResponseSoFar, SlotContext } from './eligibility.ts';
import type { Opportunity } from '../../domain/requests/opportunity.ts';
import { makeSlotContext } from './slot-context.ts';
import { findFailedDimension } from './index/targeting.ts';

/** Creatives of which one must find a slot; empty = that cannot be. */
export type Need = ReadonlySet<string>;

/** A look at a slot by format and size counts for 1, by all rules for `LOOK_COST`; that many a request for sets that would begin. */
const WORK_MAX = 400_000;
const FULL_CHECK_COST = 20;
const EMPTY_RESPONSE = { creativeIds: new Set<string>() };

/** Slots that take the same creatives by format, size and markup. */
interface Shape {
  /** Position of one of them. */
  readonly first: number;
  readonly number: number;
}

/** The creatives of a row that could stand in a slot when `standing` ads stood: later never more. */
interface Known {
  readonly ids: ReadonlySet<string>;
  readonly placedCount: number;
}

interface SlotKnowledge {
  readonly byShape: (ReadonlySet<string> | undefined)[];
  readonly bySlot: (Known | undefined)[];
  /** By need: it can stand in no slot before this position, besides those that are past. */
  readonly firsts: Map<string, number>;
}

interface FitQuery {
  readonly lineItem: CompiledLineItem;
  readonly together: number;
  readonly knowledge: SlotKnowledge;
  /** Of a set that stands in part. */
  readonly hasBegun: boolean;
}

/**
 * Which creatives could stand in which slots of one request, found when first asked. As an answer fills, a slot takes less and
 * never more, so what was refused once is not looked at again. Work is bounded: sets that would begin when `WORK_MAX` is
 * used up find no later slots; those that stand in part still do.
 */
export class SlotsOfRequest {
  readonly #compiled: CompiledWorkspace;
  readonly #opportunity: Opportunity;
  readonly #answer: ResponseSoFar;
  readonly #context: DecideContext;
  readonly #slotContexts: (SlotContext | undefined)[] = [];
  /** By `together`. Made when first asked: most requests have one slot and never do. */
  #known: readonly [Map<CompiledLineItem, SlotKnowledge>, Map<CompiledLineItem, SlotKnowledge>] | null = null;
  #shapes: readonly Shape[] | null = null;
  #work = 0;

  constructor(
    compiled: CompiledWorkspace,
    opportunity: Opportunity,
    { response, context }: { readonly response: ResponseSoFar; readonly context: DecideContext },
  ) {
    this.#compiled = compiled;
    this.#opportunity = opportunity;
    this.#answer = response;
    this.#context = context;
  }

  /** What checking line items for the slot at this position needs; the answer in it is the one that grows. */
  contextAt(position: number): SlotContext {
    const slot = this.#opportunity.slots[position];
    if (slot === undefined) throw new RangeError(`There is no slot ${position}`);
    const input = { slot, response: this.#answer, context: this.#context };
    return (this.#slotContexts[position] ??= makeSlotContext(this.#compiled, this.#opportunity, input));
  }

  /** @param together 0 or 1, as in `SlotContext` */
  fitsOf(lineItem: CompiledLineItem, together: number, hasBegun: boolean): SlotFits {
    this.#known ??= [new Map(), new Map()];
    const known = this.#known[together === 0 ? 0 : 1];
    const knowledge = known.get(lineItem) ?? { byShape: [], bySlot: [], firsts: new Map() };
    known.set(lineItem, knowledge);
    return {
      firstAfter: (need, position) => this.#firstAfter({ lineItem, together, knowledge, hasBegun }, need, position),
      canFill: (need, position) => this.#canFill({ lineItem, together, knowledge, hasBegun }, need, position),
    };
  }

  #firstAfter(query: FitQuery, need: Need, position: number): number | null {
    const { firsts } = query.knowledge;
    const name = need.size === 1 ? (need.values().next().value ?? '') : [...need].join();
    let at = Math.max(firsts.get(name) ?? 0, position + 1);
    while (at < this.#opportunity.slots.length && !this.#canFill(query, need, at)) at += 1;
    // What was not looked at for want of work says nothing about sets that have begun.
    if (!this.#mayWork(query)) return null;
    firsts.set(name, at);
    return at < this.#opportunity.slots.length ? at : null;
  }

  #canFill(query: FitQuery, need: Need, position: number): boolean {
    if (!this.#mayWork(query)) return false;
    this.#work += 1;
    const { lineItem, together, knowledge } = query;
    const last = knowledge.bySlot[position];
    if (need.isDisjointFrom(last?.ids ?? this.#fitsShapeAt(position, query))) return false;
    const placedCount = this.#answer.creativeIds.size;
    if (last?.placedCount === placedCount) return true;
    this.#work += FULL_CHECK_COST;
    const ids = findFitting(lineItem, { ...this.contextAt(position), together });
    knowledge.bySlot[position] = { ids, placedCount };
    return !need.isDisjointFrom(ids);
  }

  #mayWork({ hasBegun }: FitQuery): boolean {
    return hasBegun || this.#work < WORK_MAX;
  }

  #fitsShapeAt(position: number, { lineItem, knowledge: { byShape } }: FitQuery): ReadonlySet<string> {
    const { first, number } = this.#findShapes()[position] as Shape;
    const known = byShape[number];
    if (known !== undefined) return known;
    const { slot } = this.contextAt(first);
    const at = { opportunity: this.#opportunity, slot, nowMs: this.#context.nowMs, response: EMPTY_RESPONSE };
    const fitting = lineItem.creatives.filter((one) => refuseCreative(one, at) === null);
    const ids = new Set(fitting.map(({ creative }) => creative.id));
    byShape[number] = ids;
    return ids;
  }

  /** By position. */
  #findShapes(): readonly Shape[] {
    if (this.#shapes !== null) return this.#shapes;
    const known = new Map<string, Shape>();
    this.#shapes = this.#opportunity.slots.map((slot, first) => {
      const { mediaTypes, sizes, secure, blockedAttributes, video, native } = slot;
      const name = JSON.stringify([mediaTypes, sizes, secure, blockedAttributes, video, native]);
      const shape = known.get(name) ?? { first, number: known.size };
      known.set(name, shape);
      return shape;
    });
    return this.#shapes;
  }
}

/** Where the creatives of one line item could stand. Positions are those of the request's slots. */
export interface SlotFits {
  /** The first position after this one at which one of them can stand; null = none. */
  firstAfter(need: Need, position: number): number | null;
  /** Whether one of them can stand there, by all rules. */
  canFill(need: Need, position: number): boolean;
}

/** Whether the line item's targeting, all of it, admits the slot. */
export function isTargeted({ booked: lineItem }: CompiledLineItem, { facts }: SlotContext): boolean {
  return findFailedDimension(lineItem.targeting, lineItem.timezone, facts) === null;
}

function findFitting(lineItem: CompiledLineItem, there: SlotContext): ReadonlySet<string> {
  const fitting = isTargeted(lineItem, there) ? checkLineItem(lineItem, there) : 'pacing';
  return new Set(typeof fitting === 'string' ? [] : fitting.creatives.map(({ creative }) => creative.id));
}
