import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { MessageKey } from '../messages/say.ts';

/** Where the browser keeps whether single keys do something. */
export const SINGLE_KEYS = { key: 'placard-single-keys', defaultValue: true };

/** A single key of the page that is open, as the list of shortcuts shows it. */
export interface PageKey {
  readonly key: string;
  readonly label: MessageKey;
}

let known: readonly PageKey[] = [];
const listeners = new Set<() => void>();

function change(next: readonly PageKey[]): void {
  known = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The keys of the page that is open. */
export function usePageKeys(): readonly PageKey[] {
  return useSyncExternalStore(subscribe, () => known);
}

/** A single key that works while a page is open, but in fields and dialogs; it is listed under `?`. */
export function usePageKey(key: string, label: MessageKey, run: () => void): void {
  const [enabled] = useLocalStorage(SINGLE_KEYS);
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  }, [run]);
  useEffect(() => {
    const own: PageKey = { key, label };
    change([...known, own]);
    return () => change(known.filter((one) => one !== own));
  }, [key, label]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!enabled || event.key !== key || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isField(event.target) || document.querySelector('[role="dialog"]') !== null) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [enabled, key]);
}

/** Whether keys are typed into an element. */
export function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.getAttribute('role') === 'combobox')
  );
}
