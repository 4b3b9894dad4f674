import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect, retainSearchParams } from '@tanstack/react-router';
import { isSignedOut } from '../api/transport/problem.ts';
import { type AppSearch, SCOPE_PARAMS } from '../session/app-search.ts';
import { sessionQuery } from '../session/session.ts';
import { NotFoundPage } from '../ui/state-pages.tsx';
import { Shell } from './shell.tsx';

/** The root of all pages. */
export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  validateSearch: (search: Record<string, unknown>): AppSearch => search as AppSearch,
  search: { middlewares: [retainSearchParams([...SCOPE_PARAMS])] },
});

/** The frame around the pages of those who are signed in; everybody else signs in first. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.ensureQueryData(sessionQuery);
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      redirect({ to: '/sign-in', search: { next: location.href }, throw: true });
    }
  },
});
