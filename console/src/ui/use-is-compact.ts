import { useMediaQuery } from '@mantine/hooks';

const COMPACT = '(max-width: 48em)';

/** Whether the screen is so narrow that a row is one cell. */
export function useIsCompact(): boolean {
  return useMediaQuery(COMPACT, false, { getInitialValueInEffect: false });
}
