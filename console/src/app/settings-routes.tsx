import { createRoute, redirect } from '@tanstack/react-router';
import { page } from './page.ts';
import { shellRoute } from './root-routes.tsx';

/** The pages of the settings. */
export const settings = [
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
    component: page(() => import('../settings/keys/api-keys-page.tsx'), 'ApiKeysPage', ['settings']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/credentials',
    component: page(() => import('../settings/credentials-page.tsx'), 'CredentialsPage', ['settings']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/webhooks',
    component: page(() => import('../webhooks/webhooks-page.tsx'), 'WebhooksPage', ['settings', 'audit']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/webhooks/$id',
    component: page(() => import('../webhooks/webhook-page.tsx'), 'WebhookPage', ['settings', 'audit']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/report-links',
    component: page(() => import('../settings/report-links-page.tsx'), 'ReportLinksPage', ['settings']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/users',
    component: page(() => import('../settings/users-page.tsx'), 'UsersPage', ['settings']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/network',
    component: page(() => import('../settings/network-page.tsx'), 'NetworkPage', ['settings', 'sign-in']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/limits',
    component: page(() => import('../settings/limits-page.tsx'), 'LimitsPage', ['settings', 'quotas']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/audit-log',
    component: page(() => import('../settings/audit-log-page.tsx'), 'AuditLogPage', ['settings', 'audit']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/cluster',
    component: page(() => import('../settings/cluster/cluster-page.tsx'), 'ClusterPage', ['settings']),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/account',
    component: page(() => import('../settings/account-page.tsx'), 'AccountPage', ['settings', 'sign-in']),
  }),
] as const;
