import { useIsFetching } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Id of the element that holds the page. */
export const CONTENT_ID = 'content';

/**
 * Marks the content as busy while its page's code, or data that it has never had, is on its way: assistive technology waits for it, and so
 * do browser tests.
 */
export function BusyMark() {
  const isNavigating = useRouterState({ select: ({ status }) => status === 'pending' });
  const isFetching = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0;
  const isBusy = isNavigating || isFetching;
  useEffect(() => document.getElementById(CONTENT_ID)?.setAttribute('aria-busy', String(isBusy)), [isBusy]);
  return null;
}
