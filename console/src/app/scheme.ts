import { useMantineColorScheme } from '@mantine/core';
import { startTransition } from 'react';

/**
 * Changes the colour scheme. The style sheets change colours at once; rendering every component again, and the charts, whose colours come from scripts,
 * does not hold up that paint.
 */
export function useChooseScheme(): (scheme: 'light' | 'dark') => void {
  const { setColorScheme } = useMantineColorScheme();
  return (scheme) => startTransition(() => setColorScheme(scheme));
}
