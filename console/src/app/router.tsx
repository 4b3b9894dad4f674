import { QueryCache, QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { isSignedOut } from '../api/transport/problem.ts';
import { loadPart } from '../ui/load-part.ts';
import { ErrorPage, LoadingPage } from '../ui/state-pages.tsx';
import { parseSearch, stringifySearch } from '../session/app-search.ts';
import { page } from './page.ts';
import { rootRoute, shellRoute } from './root-routes.tsx';
import { sessionQuery } from '../session/session.ts';
import { settings } from './settings-routes.tsx';

/** Failures of the caller are not tried again; those of the network twice. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // A session that ended while a page was open: sign in again, and return to the same address.
    onError: (error, query) => {
      if (!isSignedOut(error) || query.queryKey[0] === 'session') return;
      queryClient.removeQueries({ queryKey: ['session'] });
      // Every query of the page fails: the first one leaves it.
      if (router.latestLocation.pathname === '/sign-in') return;
      void router.navigate({ to: '/sign-in', search: { next: router.state.location.href } });
    },
  }),
  defaultOptions: {
    queries: {
      // A browser that believes to be offline asks all the same: the server may be this machine, and an error can be tried again.
      networkMode: 'always',
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < 2 && 'status' in error && (error.status === 0 || error.status === 502 || error.status === 503),
    },
    mutations: { networkMode: 'always' },
  },
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: page(() => import('../sign-in/sign-in-page.tsx'), 'SignInPage', ['sign-in']),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: page(() => import('../sign-in/invitation-page.tsx'), 'InvitationPage', ['sign-in']),
});

const linkRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/forgot-password',
    component: page(() => import('../sign-in/forgot-password-page.tsx'), 'ForgotPasswordPage', ['sign-in']),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset-password',
    component: page(() => import('../sign-in/invitation-page.tsx'), 'InvitationPage', ['sign-in']),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/confirm-address',
    component: page(() => import('../sign-in/confirm-address-page.tsx'), 'ConfirmAddressPage', ['sign-in']),
  }),
] as const;

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    redirect({ to: '/desk', throw: true });
  },
});

const lensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/lens',
  component: page(() => import('../lens/lens-page.tsx'), 'LensPage', ['lens', 'members']),
});

const lineItemsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/desk/line-items',
  component: page(() => import('../desk/line-items-page.tsx'), 'LineItemsPage', ['desk', 'desk-table']),
});

const desk = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk',
    component: page(() => import('../today/today-page.tsx'), 'TodayPage', ['agents', 'desk', 'quotas', 'delivery']),
  }),
  lineItemsRoute.addChildren([
    createRoute({ getParentRoute: () => lineItemsRoute, path: '/' }),
    // The page itself shows the panel of a line item, so that the table stays as it is.
    createRoute({ getParentRoute: () => lineItemsRoute, path: '$id' }),
  ]),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/line-items/new',
    component: page(() => import('../booking/booking-page.tsx'), 'BookingPage', ['booking', 'desk', 'delivery']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/campaigns',
    component: page(() => import('../desk/campaigns-page.tsx'), 'CampaignsPage', ['desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/campaigns/$id',
    component: page(() => import('../desk/campaign-page.tsx'), 'CampaignPage', ['desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/campaigns/new',
    component: page(() => import('../order/order-form-page.tsx'), 'NewOrderPage', ['desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/campaigns/$id/edit',
    component: page(() => import('../order/order-form-page.tsx'), 'EditOrderPage', ['desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/campaigns/$id/order',
    component: page(() => import('../order/order-sheet-page.tsx'), 'OrderSheetPage', ['desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/campaigns/$id/creatives',
    component: page(() => import('../studio/studio-page.tsx'), 'StudioPage', ['studio', 'desk']),
  }),
] as const;

const activity = createRoute({
  getParentRoute: () => shellRoute,
  path: '/desk/activity',
  component: page(() => import('../activity/activity-page.tsx'), 'ActivityPage', [
    'audit',
    'booking',
    'catalog',
    'delivery',
    'desk',
    'desk-table',
    'item-form',
  ]),
});

const integrate = createRoute({
  getParentRoute: () => shellRoute,
  path: '/desk/integrate',
  component: page(() => import('../integrate/integrate-page.tsx'), 'IntegratePage', ['integrate']),
});

const inspector = createRoute({
  getParentRoute: () => shellRoute,
  path: '/desk/inspector',
  component: page(() => import('../inspector/inspector-page.tsx'), 'InspectorPage', ['inspector', 'desk', 'delivery']),
});

const inventory = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/inventory',
    component: page(() => import('../inventory/inventory-page.tsx'), 'InventoryPage', ['inventory', 'desk']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/availability',
    component: page(() => import('../inventory/availability-page.tsx'), 'AvailabilityPage', [
      'inventory',
      'desk',
      'delivery',
    ]),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/experiments',
    component: page(() => import('../inventory/experiments-page.tsx'), 'ExperimentsPage', ['inventory', 'desk']),
  }),
] as const;

const catalog = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/advertisers',
    component: page(() => import('../catalog/catalog-page.tsx'), 'AdvertisersPage', ['catalog', 'desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/creatives',
    component: page(() => import('../catalog/catalog-page.tsx'), 'CreativesPage', ['catalog', 'desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/creatives/$id',
    component: page(() => import('../creative/creative-page.tsx'), 'CreativePage', ['creative', 'desk', 'catalog']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/library',
    component: page(() => import('../catalog/catalog-page.tsx'), 'LibraryPage', ['catalog', 'desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/library/$id',
    component: page(() => import('../creative/creative-page.tsx'), 'LibraryCreativePage', [
      'creative',
      'desk',
      'catalog',
    ]),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/agents',
    component: page(() => import('../agents/agents-page.tsx'), 'AgentsPage', ['agents', 'desk']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/review',
    component: page(() => import('../review/review-page.tsx'), 'ReviewPage', ['creative', 'desk']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/sites',
    component: page(() => import('../catalog/catalog-page.tsx'), 'SitesPage', ['catalog', 'desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/ad-units',
    component: page(() => import('../catalog/catalog-page.tsx'), 'AdUnitsPage', ['catalog', 'desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/floors',
    component: page(() => import('../catalog/catalog-page.tsx'), 'FloorsPage', ['catalog', 'desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/deals',
    component: page(() => import('../catalog/catalog-page.tsx'), 'DealsPage', ['catalog', 'desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/segments',
    component: page(() => import('../catalog/catalog-page.tsx'), 'SegmentsPage', ['catalog', 'desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/activities',
    component: page(() => import('../catalog/catalog-page.tsx'), 'ActivitiesPage', ['catalog', 'desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/key-values',
    component: page(() => import('../catalog/catalog-page.tsx'), 'KeyValuesPage', ['catalog', 'desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/products',
    component: page(() => import('../catalog/catalog-page.tsx'), 'ProductsPage', ['catalog', 'desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/areas',
    component: page(() => import('../catalog/catalog-page.tsx'), 'AreasPage', ['catalog', 'desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/targeting-presets',
    component: page(() => import('../catalog/catalog-page.tsx'), 'TargetingPresetsPage', [
      'catalog',
      'desk',
      'desk-table',
    ]),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/teams',
    component: page(() => import('../catalog/catalog-page.tsx'), 'TeamsPage', ['catalog', 'desk', 'desk-table']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/custom-fields',
    component: page(() => import('../catalog/catalog-page.tsx'), 'CustomFieldsPage', ['catalog', 'desk', 'desk-table']),
  }),
] as const;

const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboards',
  component: page(() => import('../dashboards/dashboards-page.tsx'), 'DashboardsPage', ['dashboards']),
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  invitationRoute,
  ...linkRoutes,
  shellRoute.addChildren([
    homeRoute,
    ...desk,
    activity,
    inspector,
    integrate,
    ...inventory,
    ...catalog,
    lensRoute,
    dashboardRoute,
    ...settings,
  ]),
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

/** Begins to load what the first page needs, all at once: its code, and who is signed in. Failures show when the page is drawn. */
export function beginFirstPage(): void {
  const [matchedRoutes] = router.getMatchedRoutes(window.location.pathname);
  if (matchedRoutes.some(({ id }) => id === shellRoute.id)) void queryClient.prefetchQuery(sessionQuery);
  for (const { options } of matchedRoutes) {
    const component: unknown = options.component;
    if (isPreloadable(component)) void component.preload();
  }
  if (matchedRoutes.some(({ id }) => id === lensRoute.id)) beginLens().catch(() => {});
}

/** The reports of the Lens are asked while its page is not drawn yet. The titles of metrics are translated as they arrive: their texts come first. */
async function beginLens(): Promise<void> {
  const lens = await loadPart(() => import('../lens/lens-page.tsx'), ['lens', 'members']);
  await lens.beginLens(queryClient, parseSearch(window.location.search));
}

function isPreloadable(component: unknown): component is { preload: () => Promise<unknown> } {
  return typeof component === 'function' && 'preload' in component && typeof component.preload === 'function';
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
