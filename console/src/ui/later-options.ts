import { useState } from 'react';

/**
 * Props of a select: its options are rendered when it first has the focus, and stay. The library renders them, hidden, with the field, which is most of the work of
 * drawing a form. They are there before a key opens the list.
 */
export function useLaterOptions() {
  const [isUsed, setUsed] = useState(false);
  return { comboboxProps: { keepMounted: isUsed }, onFocus: () => setUsed(true) };
}
