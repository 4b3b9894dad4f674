import type { CompiledLineItem } from './index/compile-line-items.ts';
import type { CompiledWorkspace } from './index/compiled-workspace.ts';
import { refuseCreative } from './creative-fit.ts';
import type { DecideContext } from './decision.ts';
import { checkLineItem } from './eligibility.ts';
import type { SlotContext } from './eligibility.ts';
import type { ResponseSoFar } from './response-so-far.ts';
import type { Opportunity } from '../../domain/requests/opportunity.ts';
import { makeSlotContext } from './slot-context.ts';
import { findFailedDimension } from './index/targeting.ts';

/** Creatives of which one must get a slot; empty = impossible. */
export type Need = ReadonlySet<string>;

/** Work units per request for sets that have not begun. A check by format and size costs 1, a check by all rules `FULL_CHECK_COST`. */
const WORK_MAX = 400_000;
const FULL_CHECK_COST = 20;
const EMPTY_RESPONSE = { creativeIds: new Set<string>() };

/** Slots that accept the same creatives by format, size and markup. */
interface Shape {
  /** Position of one of them. */
  readonly first: number;
  readonly number: number;
}

/** The creatives of a line item that fitted a slot when `placedCount` ads were placed. Later, no others fit. */
interface Known {
  readonly ids: ReadonlySet<string>;
  readonly placedCount: number;
}

interface SlotKnowledge {
  readonly byShape: (ReadonlySet<string> | undefined)[];
  readonly bySlot: (Known | undefined)[];
  /** By need: no slot before this position can take it, besides the slots that are past. */
  readonly firsts: Map<string, number>;
}

interface FitQuery {
  readonly lineItem: CompiledLineItem;
  readonly together: number;
  readonly knowledge: SlotKnowledge;
  /** The set of the line item has begun. */
  readonly hasBegun: boolean;
}

/**
 * Finds which creatives fit into which slots of one request, and remembers the result. As a response fills, a slot accepts fewer creatives
 * and never more, so a creative that was filtered is not checked again. The work is bounded: after `WORK_MAX`, sets that have not begun
 * find no later slots; sets that have begun still do.
 */
export class SlotsOfRequest {
  readonly #compiled: CompiledWorkspace;
  readonly #opportunity: Opportunity;
  readonly #response: ResponseSoFar;
  readonly #context: DecideContext;
  readonly #slotContexts: (SlotContext | undefined)[] = [];
  /** By `together`. Created at the first use: most requests have one slot and never use it. */
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
    this.#response = response;
    this.#context = context;
  }

  /** The input of checking line items for the slot at this position. Its response is the one that grows. */
  contextAt(position: number): SlotContext {
    const slot = this.#opportunity.slots[position];
    if (slot === undefined) throw new RangeError(`There is no slot ${position}`);
    const input = { slot, response: this.#response, context: this.#context };
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
    // A search that ended for lack of work says nothing about sets that have begun.
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
    const placedCount = this.#response.creativeIds.size;
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
      const { mediaTypes, sizes, secure, blockedAttributes, blockedByMedia, blockedBanners, video, audio, native } =
        slot;
      const blocked = [blockedAttributes, blockedByMedia, blockedBanners];
      const name = JSON.stringify([mediaTypes, sizes, secure, blocked, video, audio, native]);
      const shape = known.get(name) ?? { first, number: known.size };
      known.set(name, shape);
      return shape;
    });
    return this.#shapes;
  }
}

/** Where the creatives of one line item fit. Positions are those of the request's slots. */
export interface SlotFits {
  /** The first position after this one at which one of them fits; null = none. */
  firstAfter(need: Need, position: number): number | null;
  /** Whether one of them fits there by all rules. */
  canFill(need: Need, position: number): boolean;
}

/** Whether the whole targeting of the line item admits the slot. */
export function isTargeted({ booked }: CompiledLineItem, { facts }: SlotContext): boolean {
  return findFailedDimension(booked.targeting, booked.timezone, facts) === null;
}

function findFitting(lineItem: CompiledLineItem, there: SlotContext): ReadonlySet<string> {
  const fitting = isTargeted(lineItem, there) ? checkLineItem(lineItem, there) : 'pacing';
  return new Set(typeof fitting === 'string' ? [] : fitting.creatives.map(({ creative }) => creative.id));
}
