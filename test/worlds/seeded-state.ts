import type { DeliveryState } from '../../src/delivery/decision/delivery-state.ts';
import type { RateLifts } from '../../src/delivery/value/context-model.ts';

/** Counters from a seed: half of them 0, others up to 4 (spend: up to 4,000 micros in nanos). In every other world, rates depend on the context. */
export function seededState(seed: number): DeliveryState {
  const lifts = seed % 2 === 0 ? null : seededLifts(seed);
  return {
    counter: (key) => {
      const value = Math.max(0, ((hashOf(key, seed) >>> 8) % 10) - 5);
      return key.includes('/spend/') ? value * 1_000_000 : value;
    },
    lifts: () => lifts,
  };
}

const LIFTS = [0.25, 0.8, 1, 1.3, 4];

function seededLifts(seed: number): RateLifts {
  return {
    lift: ({ kind, lineItemId }, { siteId, deviceType }) =>
      LIFTS[(hashOf([kind, lineItemId, siteId, deviceType].join('/'), seed) >>> 8) % LIFTS.length] as number,
  };
}

function hashOf(text: string, seed: number): number {
  let hash = seed ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
