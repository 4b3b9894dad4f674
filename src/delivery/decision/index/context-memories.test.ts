import { expect, test } from 'vitest';
import { ContextMemories, CONTEXTS_MAX, LIFTS_MAX } from './context-memories.ts';
import { GroupOrders } from './group-orders.ts';

const makeMemories = (): ContextMemories => new ContextMemories(() => new GroupOrders());

test('each context has a memory of its own, for as long as the model stays', () => {
  const memories = makeMemories();
  const [model, next] = [{}, {}];
  const mobile = memories.of(model, 'mobile');
  memories.setLift(mobile, 1, 2);
  expect(memories.of(model, 'desktop').lifts.get(1)).toBeUndefined();
  expect(memories.of(model, 'mobile').lifts.get(1)).toBe(2);
  expect(memories.of(model, 'desktop').orders).not.toBe(mobile.orders);
  expect(memories.of(next, 'mobile').lifts.get(1)).toBeUndefined();
});

test('contexts without end are bounded in number, and the oldest one is forgotten first', () => {
  const memories = makeMemories();
  const model = {};
  const all = Array.from({ length: CONTEXTS_MAX + 1 }, (_none, at) => memories.of(model, String(at)));
  expect(memories.of(model, '1')).toBe(all[1]);
  expect(memories.of(model, '0')).not.toBe(all[0]);
});

test('lifts are bounded over all contexts, but for those of the last context', () => {
  const memories = makeMemories();
  const model = {};
  const first = memories.of(model, 'first');
  for (let position = 0; position < LIFTS_MAX; position += 1) memories.setLift(first, position, 2);
  const last = memories.of(model, 'last');
  expect(memories.of(model, 'first')).toBe(first);
  memories.setLift(last, 0, 2);
  expect(memories.of(model, 'first').lifts.size).toBe(0);
});
