import { describe, expect, test } from 'vitest';
import { actionOf, editedAfter, type FocusState, outcomeOf } from './row-keys.ts';

const press = (key: string, held = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });
const OPEN = ['name', 'price', 'goal'];
const on = (focus: Partial<FocusState> = {}): FocusState => ({
  index: 1,
  columnId: null,
  rows: 3,
  open: OPEN,
  ...focus,
});

/** What comes of a key in a state of the focus. */
function outcome(key: string, focus: Partial<FocusState> = {}) {
  const at = on(focus);
  const action = actionOf(press(key), at.columnId);
  return action === null ? null : outcomeOf(action, at);
}

describe('in a row', () => {
  test.each([
    ['ArrowDown', 2],
    ['j', 2],
    ['ArrowUp', 0],
    ['k', 0],
    ['Home', 0],
    ['End', 2],
  ])('%s moves to row %i', (key, index) => {
    expect(outcome(key)).toEqual({ does: 'move', index, columnId: null });
  });

  test('the first and the last row are the ends', () => {
    expect(outcome('ArrowUp', { index: 0 })).toMatchObject({ index: 0 });
    expect(outcome('ArrowDown', { index: 2 })).toMatchObject({ index: 2 });
    expect(outcome('ArrowDown', { index: 0, rows: 0 })).toMatchObject({ index: 0 });
  });

  test.each([
    ['Enter', { does: 'open' }],
    [' ', { does: 'choose' }],
    ['x', { does: 'choose' }],
    ['e', { does: 'edit', columnId: 'name' }],
    ['F2', { does: 'edit', columnId: 'name' }],
    ['ArrowRight', { does: 'move', index: 1, columnId: 'name' }],
  ])('%j does what the help says', (key, does) => {
    expect(outcome(key)).toEqual(does);
  });

  test('a row without editable cells has no cell to edit or to go to', () => {
    expect(outcome('e', { open: [] })).toEqual({ does: 'nothing' });
    expect(outcome('ArrowRight', { open: [] })).toEqual({ does: 'move', index: 1, columnId: null });
  });
});

describe('in a cell', () => {
  test.each([
    ['ArrowDown', { does: 'move', index: 2, columnId: 'price' }],
    ['ArrowUp', { does: 'move', index: 0, columnId: 'price' }],
    ['ArrowRight', { does: 'move', index: 1, columnId: 'goal' }],
    ['ArrowLeft', { does: 'move', index: 1, columnId: 'name' }],
    ['Escape', { does: 'move', index: 1, columnId: null }],
    ['Enter', { does: 'edit', columnId: 'price' }],
    ['e', { does: 'edit', columnId: 'price' }],
    ['x', { does: 'choose' }],
  ])('%s does what the help says', (key, does) => {
    expect(outcome(key, { columnId: 'price' })).toEqual(does);
  });

  test('the right arrow stays in the last cell, and the left arrow goes from the first one to the row', () => {
    expect(outcome('ArrowRight', { columnId: 'goal' })).toMatchObject({ columnId: 'goal' });
    expect(outcome('ArrowLeft', { columnId: 'name' })).toMatchObject({ columnId: null });
  });

  test('the tab key edits one cell after the other, and ends behind the last one', () => {
    expect(editedAfter(OPEN, 'name', 'next')).toBe('price');
    expect(editedAfter(OPEN, 'price', 'previous')).toBe('name');
    expect(editedAfter(OPEN, 'goal', 'next')).toBeUndefined();
    expect(editedAfter(OPEN, 'name', 'previous')).toBeUndefined();
    expect(editedAfter(OPEN, 'name', 'stay')).toBeUndefined();
    expect(editedAfter(OPEN, 'name', 'left')).toBeUndefined();
  });
});

test.each(['ctrlKey', 'metaKey', 'altKey'])('a key with %s belongs to the browser', (held) => {
  expect(actionOf(press('e', { [held]: true }), null)).toBeNull();
});

test('other keys, and those of cells in a row, do nothing', () => {
  expect(outcome('Escape')).toBeNull();
  expect(outcome('Home', { columnId: 'price' })).toBeNull();
  expect(outcome('toString')).toBeNull();
});
