import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Most rows of a table on paper: some twenty pages. */
export const PRINTED_ROWS_MAX = 1_000;

/** Whether the page is on its way to paper: then everything is drawn, not only what is in view. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    // The browser draws the paper as soon as this event is over.
    const begin = (): void => flushSync(() => setPrinting(true));
    const end = (): void => setPrinting(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}
