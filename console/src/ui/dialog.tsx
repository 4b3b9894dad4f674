import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { useEffect } from 'react';

/** Once a dialog is gone, whatever it opened next has taken the focus by then. */
const RETURNS_AFTER_MS = 30;

/** What had the focus last, outside of dialogs: it opened the dialog that is open, or the first of several that followed each other. */
let opener: HTMLElement | null = null;

if (typeof document !== 'undefined') document.addEventListener('focusin', ({ target }) => rememberOpener(target));

/** A dialog. The focus returns to what opened it, also where the dialog is taken away as a whole. */
export function Dialog(props: ModalProps) {
  useReturnedFocus(props.opened);
  return <Modal {...props} />;
}

/** A panel at the side; the focus returns as with a dialog. */
export function SidePanel(props: DrawerProps) {
  useReturnedFocus(props.opened);
  return <Drawer {...props} />;
}

function useReturnedFocus(opened: boolean): void {
  useEffect(() => {
    if (!opened) return;
    return () => void setTimeout(returnFocus, RETURNS_AFTER_MS);
  }, [opened]);
}

function rememberOpener(target: EventTarget | null): void {
  if (!(target instanceof HTMLElement) || target.closest('[role="dialog"]') !== null) return;
  // The entry of a menu goes with its menu; what opened the menu stays.
  const menu = target.closest('[role="menu"]');
  opener = document.getElementById(menu?.getAttribute('aria-labelledby') ?? '') ?? target;
}

/** To the opener; where that is gone, as with an object that was deleted, to the title of the page. */
function returnFocus(): void {
  const isNowhere = document.activeElement === null || document.activeElement === document.body;
  if (!isNowhere || document.querySelector('[role="dialog"]') !== null) return;
  opener?.focus();
  if (document.activeElement !== opener) document.querySelector<HTMLElement>('h1')?.focus();
}
