import type { Page } from 'playwright-core';

/** Where a page keeps its count: it outlives the pages that a tab goes through. */
const KEY = 'interactions';
/** Tabs whose pages count. */
const watched = new WeakSet<Page>();

/**
 * Counts what a person does in a tab from its next address on: each click, each key besides typing, each field that is typed into or given
 * a file, and each address that is opened after the first. Returns how to read the count.
 */
export async function countInteractions(page: Page): Promise<() => Promise<number>> {
  if (!watched.has(page)) await page.addInitScript(watch, KEY);
  watched.add(page);
  // A tab that has opened nothing yet has no store.
  await page.evaluate((key) => sessionStorage.removeItem(key), KEY).catch(() => undefined);
  return async () => Number(await page.evaluate((key) => sessionStorage.getItem(key), KEY));
}

/** Runs in the page, before its own code. */
function watch(key: string): void {
  if (window !== window.top) return;
  const add = (): void => sessionStorage.setItem(key, String(Number(sessionStorage.getItem(key) ?? -1) + 1));
  // The first address begins with 0.
  add();
  const modifiers = ['Control', 'Shift', 'Alt', 'Meta'];
  let typedInto: EventTarget | null = null;
  addEventListener('pointerdown', add, true);
  addEventListener(
    'keydown',
    ({ key: pressed, target, ctrlKey }) => {
      const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
      const isTyping = isField && !ctrlKey && (pressed.length === 1 || pressed === 'Backspace');
      if (!isTyping && !modifiers.includes(pressed)) add();
    },
    true,
  );
  addEventListener(
    'input',
    ({ target }) => {
      const isText = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !isChosen(target));
      if (!isText || target === typedInto) return;
      typedInto = target;
      add();
    },
    true,
  );
  // A click has counted already.
  function isChosen({ type }: HTMLInputElement): boolean {
    return type === 'checkbox' || type === 'radio';
  }
}
