import { seerOf } from '../../domain/frequency/frequency-key.ts';
import { isPlayed } from '../../domain/booking/creative.ts';
import type { Opportunity, Slot } from '../../domain/requests/opportunity.ts';
import { shortenSlot } from '../../domain/requests/opportunity.ts';
import { checkLineItem } from './eligibility.ts';
import type { Candidate, SlotContext } from './eligibility.ts';
import type { PickInput } from './group-picker.ts';
import type { CompiledCreative, CompiledLineItem } from './index/compile-line-items.ts';
import { frequencyCheckKey } from './index/frequency-checks.ts';
import type { ResponseSoFar } from './response-so-far.ts';
import { fillPod } from './pods/fill-pod.ts';
import type { PodOption } from './pods/fill-pod.ts';
import { pickInTier, weighCandidates } from './pod-candidates.ts';
import type { PodTier, WeighedCandidate } from './pod-candidates.ts';

/** Fillings of one pod: each further one leaves out a line item whose limits the one before would exceed. */
const ROUNDS_MAX = 5;
/** Slots of a request that are weighed; those of a dynamic pod are few objects. Further slots in pods stay empty. */
const WEIGHED_SLOTS_MAX = 20;

/** What a plan needs to know of the slot at a position. */
export type SlotAt = (position: number) => { readonly slotContext: SlotContext; readonly input: PickInput };

/**
 * The ads of the pods of a request. The slots of a pod are filled together: tiers above PRICE and STANDARD first, then as one optimisation those
 * that compete by what they are worth, then the tiers below. No line item plays twice in a pod.
 */
export class PodPlans {
  /** The positions of each pod. */
  readonly #pods = new Map<string, number[]>();
  readonly #planned = new Map<number, Candidate>();
  readonly #slotAt: SlotAt;

  constructor({ slots }: Opportunity, slotAt: SlotAt) {
    this.#slotAt = slotAt;
    const weighed = new Set<Slot>();
    for (const [position, slot] of slots.entries()) {
      const { pod, headerBid } = slot;
      // A header bid competes for one slot.
      if (pod === undefined || headerBid !== undefined) continue;
      if (weighed.size === WEIGHED_SLOTS_MAX && !weighed.has(slot)) continue;
      weighed.add(slot);
      const positions = this.#pods.get(pod.id) ?? [];
      positions.push(position);
      this.#pods.set(pod.id, positions);
    }
  }

  /** The ad that is planned for a slot; null = none, undefined = the slot is in no pod. */
  candidateAt(position: number, { slot, response }: SlotContext): Candidate | null | undefined {
    if (slot.pod === undefined || slot.headerBid !== undefined) return undefined;
    const positions = this.#pods.get(slot.pod.id);
    if (positions !== undefined) {
      this.#pods.delete(slot.pod.id);
      const plan = new PodPlan(positions, this.#slotAt, response.copy());
      for (const [at, candidate] of plan.make()) this.#planned.set(at, candidate);
    }
    return this.#planned.get(position) ?? null;
  }
}

class PodPlan {
  readonly #positions: readonly number[];
  readonly #slotAt: SlotAt;
  /** With the ads that are planned so far. */
  #response: ResponseSoFar;
  readonly #placed = new Map<number, Candidate>();
  readonly #lineItems = new Set<CompiledLineItem>();
  /** The time that is left of each impression. */
  readonly #leftMs = new Map<string, number>();

  constructor(positions: readonly number[], slotAt: SlotAt, response: ResponseSoFar) {
    this.#positions = positions;
    this.#slotAt = slotAt;
    this.#response = response;
    for (const position of positions) {
      const { slotId, pod } = slotAt(position).slotContext.slot;
      if (pod !== undefined && pod.sharedMs !== null) this.#leftMs.set(slotId, pod.sharedMs);
    }
  }

  make(): ReadonlyMap<number, Candidate> {
    const [first] = this.#positions;
    if (first === undefined) return this.#placed;
    this.#fillByTier('above STANDARD');
    if (!this.#slotAt(first).input.hasWorths) this.#fillByTier('STANDARD');
    this.#fillTogether();
    this.#fillByTier('below PRICE');
    return this.#placed;
  }

  get #open(): number[] {
    return this.#positions.filter((position) => !this.#placed.has(position));
  }

  /** The slot as the ads that are planned so far leave it. */
  #contextAt(position: number): SlotContext {
    const { slotContext } = this.#slotAt(position);
    const leftMs = this.#leftMs.get(slotContext.slot.slotId);
    const slot = leftMs === undefined ? slotContext.slot : shortenSlot(slotContext.slot, leftMs);
    return { ...slotContext, slot, response: this.#response };
  }

  #fillByTier(tier: PodTier): void {
    for (const position of this.#open) {
      const picked = pickInTier(this.#contextAt(position), this.#slotAt(position).input, tier);
      const [creative] = picked?.creatives ?? [];
      if (picked === null || creative === undefined || this.#lineItems.has(picked.lineItem)) continue;
      const { durationMs } = lengthOf(creative);
      const creatives = picked.creatives.filter((one) => lengthOf(one).durationMs === durationMs);
      this.#put(position, { ...picked, creatives });
    }
  }

  #put(position: number, candidate: Candidate): void {
    const { lineItem, creatives, bidMicros } = candidate;
    const [creative] = creatives;
    const { slotId } = this.#slotAt(position).slotContext.slot;
    const leftMs = this.#leftMs.get(slotId);
    if (creative === undefined) return;
    if (leftMs !== undefined) this.#leftMs.set(slotId, leftMs - lengthOf(creative).durationMs);
    this.#response.add(lineItem, creative.creative.id, bidMicros);
    this.#lineItems.add(lineItem);
    this.#placed.set(position, candidate);
  }

  #fillTogether(): void {
    const open = this.#open;
    // Slots that are one object have the same candidates.
    const weighedOf = new Map<Slot, readonly WeighedCandidate[]>();
    for (const position of open) {
      const { slotContext, input } = this.#slotAt(position);
      if (weighedOf.has(slotContext.slot)) continue;
      const weighed = weighCandidates(this.#contextAt(position), input);
      weighedOf.set(
        slotContext.slot,
        weighed.filter(({ candidate }) => !this.#lineItems.has(candidate.lineItem)),
      );
    }
    const options = this.#listOptions(open, weighedOf);
    const leftOut = new Set<CompiledLineItem>();
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const kept = options.filter(({ lineItem }) => !leftOut.has(lineItem));
      const exceeding = this.#tryOptions(open, kept);
      if (exceeding === null) return;
      leftOut.add(exceeding);
    }
  }

  #listOptions(open: readonly number[], weighedOf: ReadonlyMap<Slot, readonly WeighedCandidate[]>): TimedOption[] {
    const found = new Map<string, TimedOption>();
    for (const [index, position] of open.entries()) {
      const { slot } = this.#slotAt(position).slotContext;
      for (const { candidate, worthMicros } of weighedOf.get(slot) ?? [])
        for (const creative of candidate.creatives) {
          const { lineItem } = candidate;
          const { durationMs } = lengthOf(creative);
          const key = `${lineItem.booked.id}/${durationMs}`;
          const option = found.get(key) ?? {
            lineItem,
            durationMs,
            worths: open.map(() => 0),
            bySlot: open.map(() => null),
          };
          found.set(key, option);
          option.worths[index] = worthMicros;
          const known = option.bySlot[index];
          option.bySlot[index] = { ...candidate, creatives: [...(known?.creatives ?? []), creative] };
        }
    }
    return [...found.values()];
  }

  /** Puts the best filling into the slots. @returns the line item whose limits would not hold; null = all do */
  #tryOptions(open: readonly number[], options: readonly TimedOption[]): CompiledLineItem | null {
    const groups = new Groups();
    const ids = [...this.#leftMs.keys()];
    const filled = fillPod({
      sharedTimes: open.map((position) => ids.indexOf(this.#slotAt(position).slotContext.slot.slotId)),
      timesMs: ids.map((id) => this.#leftMs.get(id) ?? 0),
      options: options.map(({ lineItem, durationMs, worths }): PodOption => {
        const context = this.#contextAt(open[0] as number);
        return { durationMs, worths, groups: groupsOf(lineItem, context, groups) };
      }),
      groupMax: groups.max,
    });
    const before = this.#response.copy();
    const placed: [position: number, candidate: Candidate][] = [];
    for (const [index, position] of open.entries()) {
      const candidate = options[filled[index] ?? -1]?.bySlot[index];
      if (candidate === undefined || candidate === null) continue;
      const checked = checkLineItem(candidate.lineItem, this.#contextAt(position));
      if (typeof checked === 'string') {
        this.#response = before;
        return candidate.lineItem;
      }
      this.#response.add(candidate.lineItem, candidate.creatives[0]?.creative.id ?? '', candidate.bidMicros);
      placed.push([position, candidate]);
    }
    this.#response = before;
    for (const [position, candidate] of placed) this.#put(position, candidate);
    return null;
  }
}

/** The creatives of a line item that are of one length. */
interface TimedOption {
  readonly lineItem: CompiledLineItem;
  readonly durationMs: number;
  readonly worths: number[];
  readonly bySlot: (Candidate | null)[];
}

function lengthOf({ creative: { content } }: CompiledCreative): { readonly durationMs: number } {
  return isPlayed(content) ? content : { durationMs: 0 };
}

/** The groups of a pod by name, with the most ads of each. */
class Groups {
  readonly max: number[] = [];
  readonly #known = new Map<string, number>();

  indexOf(name: string, max: number): number {
    const index = this.#known.get(name) ?? this.max.length;
    this.#known.set(name, index);
    this.max[index] = Math.min(this.max[index] ?? max, max);
    return index;
  }
}

/** What ads of a line item share with others: itself, its labels, and the owners of frequency caps that the user has nearly reached. */
function groupsOf(lineItem: CompiledLineItem, context: SlotContext, groups: Groups): number[] {
  const found = [groups.indexOf(`line item ${lineItem.booked.id}`, 1)];
  for (const label of lineItem.exclusionLabels) found.push(groups.indexOf(`label ${label}`, 1));
  for (const check of lineItem.frequencyChecks) {
    const seer = seerOf(check.cap, context.opportunity);
    if (seer === '' || check.cap.event !== 'IMPRESSIONS') continue;
    const owner = `${check.scope}/${check.id}`;
    const counted = context.state.counter(frequencyCheckKey(check, context.opportunity.workspaceId, seer));
    const left = check.cap.count - counted - context.response.impressionsOf(owner);
    found.push(groups.indexOf(`${owner} ${seer}`, left));
  }
  return found;
}
