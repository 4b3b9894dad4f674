import { QueryCache, QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { isSignedOut } from '../api/problem.ts';
import { ErrorPage, LoadingPage, NotFoundPage } from '../ui/state-pages.tsx';
import { type AppSearch, parseSearch, SCOPE_PARAMS, stringifySearch } from './app-search.ts';
import { sessionQuery } from './session.ts';
import { Shell } from './shell.tsx';

/** Failures of the caller are not tried again; those of the network twice. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // A session that ended while a page was open: sign in again, and return to the same address.
    onError: (error, query) => {
      if (!isSignedOut(error) || query.queryKey[0] === 'session') return;
      queryClient.removeQueries({ queryKey: ['session'] });
      void router.navigate({ to: '/sign-in', search: { next: router.state.location.href } });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < 2 && 'status' in error && (error.status === 0 || error.status === 502 || error.status === 503),
    },
  },
});

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  validateSearch: (search: Record<string, unknown>): AppSearch => search as AppSearch,
  search: { middlewares: [retainSearchParams([...SCOPE_PARAMS])] },
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('../sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyRouteComponent(() => import('../sign-in/invitation-page.tsx'), 'InvitationPage'),
});

const linkRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/forgot-password',
    component: lazyRouteComponent(() => import('../sign-in/forgot-password-page.tsx'), 'ForgotPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset-password',
    component: lazyRouteComponent(() => import('../sign-in/invitation-page.tsx'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/confirm-address',
    component: lazyRouteComponent(() => import('../sign-in/confirm-address-page.tsx'), 'ConfirmAddressPage'),
  }),
] as const;

const shellRoute = createRoute({
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

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    redirect({ to: '/lens', throw: true });
  },
});

const lensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/lens',
  component: lazyRouteComponent(() => import('../lens/lens-page.tsx'), 'LensPage'),
});

const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboards',
  component: lazyRouteComponent(() => import('../lens/dashboards-page.tsx'), 'DashboardsPage'),
});

const settings = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings',
    beforeLoad: () => {
      redirect({ to: '/settings/api-keys', throw: true });
    },
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/api-keys',
    component: lazyRouteComponent(() => import('../settings/api-keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/credentials',
    component: lazyRouteComponent(() => import('../settings/credentials-page.tsx'), 'CredentialsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/users',
    component: lazyRouteComponent(() => import('../settings/users-page.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/network',
    component: lazyRouteComponent(() => import('../settings/network-page.tsx'), 'NetworkPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/limits',
    component: lazyRouteComponent(() => import('../settings/limits-page.tsx'), 'LimitsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/audit-log',
    component: lazyRouteComponent(() => import('../settings/audit-log-page.tsx'), 'AuditLogPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/cluster',
    component: lazyRouteComponent(() => import('../settings/cluster-page.tsx'), 'ClusterPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/account',
    component: lazyRouteComponent(() => import('../settings/account-page.tsx'), 'AccountPage'),
  }),
] as const;

const routeTree = rootRoute.addChildren([
  signInRoute,
  invitationRoute,
  ...linkRoutes,
  shellRoute.addChildren([homeRoute, lensRoute, dashboardRoute, ...settings]),
]);

/** All pages. Each is loaded when it is first opened. */
export const router = createRouter({
  routeTree,
  context: { queryClient },
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: LoadingPage,
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
