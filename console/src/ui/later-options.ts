import { useState } from 'react';

/**
 * Props of a select: its options are rendered when it first has the focus, and stay. The library renders them, hidden, with the field, which is most of the work of
 * drawing a form. Rendering them when the list opens would be too late for the arrow keys, which begin at the option that is chosen.
 */
export function useLaterOptions() {
  const [isUsed, setUsed] = useState(false);
  return { comboboxProps: { keepMounted: isUsed }, onFocus: () => setUsed(true) };
}
