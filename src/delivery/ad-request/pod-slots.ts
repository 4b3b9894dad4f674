import { POD_SLOT_KEY, type PodSlot, shortenSlot, type Slot } from '../../domain/requests/opportunity.ts';
import type { PodObject } from '../openrtb/player-object.ts';

/** Most ads of a dynamic pod. */
export const POD_ADS_MAX = 20;
/** Of a pod that states no number of ads: no ad is expected to be shorter. */
const SHORTEST_AD_MS = 5_000;

/** OpenRTB "Slot Position in Pod", and "Pod Sequence". */
const FIRST = 1;
const LAST = -1;
const FIRST_AND_LAST = 2;

/** The key-value that says which pod of the content a pod is: `first`, `last`. */
const SEQUENCE_KEY = 'pod.sequence';

/** What is known of the pod, as key-values: line items target first and last slots by them, and reports are by them. */
export function podFacts(pod: PodObject | undefined): [key: string, values: string[]][] {
  const sequence = pod === undefined ? null : endOf(pod.sequence);
  return sequence === null ? [] : [[SEQUENCE_KEY, [sequence]]];
}

function endOf(number: number): 'first' | 'last' | null {
  if (number === FIRST) return 'first';
  return number === LAST ? 'last' : null;
}

/**
 * The slots of an impression: one, or in a dynamic pod one for each ad that may play.
 * @param within the key-values of the request, and how many slots there may be at most
 */
export function expandPod(
  slot: Slot,
  pod: PodObject | undefined,
  within: { readonly keyValues: KeyValues; readonly max: number },
): Slot[] {
  if (pod === undefined) return [slot];
  const id = pod.id === '' ? slot.slotId : pod.id;
  if (pod.sharedMs === null) return [withPod(slot, { id, sharedMs: null, end: endOf(pod.slot) }, within.keyValues)];
  const { sharedMs } = pod;
  const shortestMs = Math.max(SHORTEST_AD_MS, slot.video?.minDurationMs ?? slot.audio?.minDurationMs ?? 0);
  const wanted = Math.min(
    pod.adsMax ?? Number.POSITIVE_INFINITY,
    Math.floor(sharedMs / shortestMs),
    POD_ADS_MAX,
    within.max,
  );
  const count = Math.max(1, wanted);
  const limited = shortenSlot(slot, sharedMs);
  const middle = withPod(limited, { id, sharedMs, end: null }, within.keyValues);
  const slots = Array.from({ length: count }, () => middle);
  if (pod.slot === FIRST || pod.slot === FIRST_AND_LAST)
    slots[0] = withPod(limited, { id, sharedMs, end: 'first' }, within.keyValues);
  if (pod.slot === LAST || (pod.slot === FIRST_AND_LAST && count > 1))
    slots[count - 1] = withPod(limited, { id, sharedMs, end: 'last' }, within.keyValues);
  return slots;
}

type KeyValues = ReadonlyMap<string, readonly string[]>;

function withPod(slot: Slot, pod: PodSlot, keyValues: KeyValues): Slot {
  if (pod.end === null) return { ...slot, pod };
  return { ...slot, pod, keyValues: new Map([[POD_SLOT_KEY, [pod.end]], ...(slot.keyValues ?? keyValues)]) };
}
