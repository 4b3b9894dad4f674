import type { InspectedLoser, InspectedSlot } from '../api/bookings/inspection.ts';
import type { Imagined, WhatIf } from './inspector-state.ts';
import { stageOf } from './loser-stages.ts';

interface Suggestion {
  readonly what: Imagined;
  readonly value: string;
}

/** What to imagine first, by reason: the first that the reason begins with. `bid`: of the winner, as exact text. */
const SUGGESTIONS: readonly (readonly [reason: string, suggest: (bid: string) => Suggestion])[] = [
  ['lost.tier', () => ({ what: 'type', value: 'SPONSORSHIP' })],
  ['lost.draw', () => ({ what: 'level', value: '1' })],
  ['lost.plan', () => ({ what: 'level', value: '1' })],
  ['lost', (bid) => ({ what: 'price', value: aboveOf(bid) })],
  ['capped.no_user', () => ({ what: 'frequency', value: '' })],
  ['capped.creative', () => ({ what: 'frequency', value: '' })],
  ['capped', () => ({ what: 'caps', value: '' })],
  ['budget', () => ({ what: 'caps', value: '' })],
  ['goal_reached', () => ({ what: 'goal', value: '' })],
  ['pacing', () => ({ what: 'goal', value: '' })],
  ['floor', (bid) => ({ what: 'price', value: aboveOf(bid) })],
  ['paused', () => ({ what: 'status', value: 'ACTIVE' })],
];

/** A change that could let a loser win; null where only other targeting or creatives would. */
export function suggestFor({ lineItemId, reason }: InspectedLoser, { winner }: InspectedSlot): WhatIf | null {
  const kind = reason.endsWith('.frequency') ? 'capped.no_user' : reason;
  const found = SUGGESTIONS.find(([start]) => kind === start || kind.startsWith(`${start}.`));
  if (found === undefined || stageOf(reason) === 'targeting') return null;
  const [, suggest] = found;
  return { id: lineItemId, ...suggest(winner?.bid ?? '') };
}

/** A little more than an amount. */
function aboveOf(amount: string): string {
  const number = Number(amount);
  return Number.isFinite(number) && number > 0 ? (Math.floor(number * 100 + 1) / 100).toFixed(2) : '10.00';
}
