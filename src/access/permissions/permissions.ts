import { PlacardError } from '../../domain/errors.ts';
import type { Principal } from '../../domain/tenancy/principal.ts';
import { type Module, MODULES, PERMISSIONS, type Permission } from '../../domain/tenancy/workspace.ts';
import { BUYER_OPERATIONS } from './buyer-operations.ts';
import { requireVerification } from './verification.ts';

/** The schemes of authentication: bearer key, login/token headers, or a signed-in user's cookie. */
export type Scheme = Principal['kind'];
/** Which limit a call counts against (conformance L1). */
export type LimitName = 'management' | 'ads' | 'events' | 'reports';

/** The requirements of an operation for its caller. */
export interface OperationRule {
  readonly permission: Permission;
  /** Any one of these modules; `any`: whatever the key's scope; `all`: only a key without module scope. */
  readonly modules: readonly Module[] | 'any' | 'all';
  readonly schemes: readonly Scheme[];
  readonly limit: LimitName;
  /** True for data that both environments of a network share (settings, members, log): closed to keys of staging (E1). */
  readonly reachesProduction?: boolean;
}

const KEY: readonly Scheme[] = ['apiKey'];
const KEY_OR_SESSION: readonly Scheme[] = ['apiKey', 'session'];
const PAIR: readonly Scheme[] = ['headerCredential'];
const SESSION: readonly Scheme[] = ['session'];
const EVERY_SCHEME: readonly Scheme[] = ['apiKey', 'headerCredential', 'session'];

function field(permission: Permission, modules: OperationRule['modules'], schemes = KEY_OR_SESSION): OperationRule {
  return { permission, modules, schemes, limit: 'management' };
}

/** Administration of the objects that both environments of a network share. */
function shared(): OperationRule {
  return { ...field('admin', 'all'), reachesProduction: true };
}

/** Line items target it: keys that book may read it, but not write it (conformance K5). */
const TARGETED: readonly Module[] = ['DELIVERY'];

/** The fields of a resource, by verb: `query.campaign`, `query.campaigns`, `mutation.createCampaign` … `mutation.archiveCampaigns`. */
function resourceFields(
  one: string,
  many: string,
  module: Module,
  readModules: readonly Module[] = [],
): Record<string, OperationRule> {
  const rules: Record<string, OperationRule> = {
    [`query.${one}`]: field('read-only', [...new Set([module, ...readModules])]),
    [`query.${many}`]: field('read-only', [...new Set([module, ...readModules])]),
  };
  for (const verb of ['create', 'update', 'archive']) {
    for (const resource of [one, many])
      rules[`mutation.${verb}${resource[0]?.toUpperCase()}${resource.slice(1)}`] = field('read-write', [module]);
  }
  return rules;
}

/**
 * The one permission table (conformance K4, K5, H1, H4). GraphQL root fields are named `query.<field>` and `mutation.<field>`;
 * REST routes have names of their own. Whatever has no entry is refused.
 */
export const OPERATIONS: Readonly<Record<string, OperationRule>> = {
  // REST
  'ads.request': { permission: 'read-only', modules: ['DELIVERY'], schemes: KEY, limit: 'ads' },
  'events.record': { permission: 'read-write', modules: ['AUDIENCE'], schemes: KEY, limit: 'events' },
  'reports.load': { permission: 'read-only', modules: ['REPORTS'], schemes: EVERY_SCHEME, limit: 'reports' },
  'reports.meta': { permission: 'read-only', modules: ['REPORTS'], schemes: EVERY_SCHEME, limit: 'reports' },
  'reports.schedule': { permission: 'read-write', modules: ['REPORTS'], schemes: KEY_OR_SESSION, limit: 'reports' },
  'legacy.download': { permission: 'read-only', modules: ['REPORTS'], schemes: PAIR, limit: 'reports' },
  /** The GraphQL endpoint itself; each root field is then checked by its own name. */
  graphql: field('read-only', 'any', EVERY_SCHEME),
  /** Tools for agents: each request that a tool makes is checked by its own name. */
  mcp: field('read-only', 'any', KEY),
  /** The seller for buyers' agents; likewise. */
  adcp: field('read-only', 'any', KEY),
  'assets.upload': field('read-write', ['DELIVERY']),
  'segments.upload': field('read-write', ['AUDIENCE']),
  /** Each portion of a job is checked by the name of the upsert that it does. */
  'bulkJobs.submit': field('read-write', ['DELIVERY']),
  'bulkJobs.read': field('read-only', ['DELIVERY']),
  'bulkJobs.cancel': field('read-write', ['DELIVERY']),
  /** Saved views of the Lens: any signed-in member has them with any permission; keys have none. */
  'console.views': field('read-only', 'any', SESSION),
  /** Members, not keys, decide who can sign in to a network. */
  'identityProvider.read': { ...field('admin', 'all', SESSION), reachesProduction: true },
  'identityProvider.write': { ...field('admin', 'all', SESSION), reachesProduction: true },

  // GraphQL: for any valid key (G2, G3)
  'query.__typename': field('read-only', 'any', EVERY_SCHEME),
  'mutation.__typename': field('read-only', 'any', EVERY_SCHEME),
  'query.__schema': field('read-only', 'any', EVERY_SCHEME),
  'query.__type': field('read-only', 'any', EVERY_SCHEME),
  'query.network': field('read-only', 'any'),
  'query.me': field('read-only', 'any'),
  'query.rateLimit': field('read-only', 'any'),
  /** Each object is checked by the name of the query of its type. */
  'query.node': field('read-only', 'any'),
  'query.nodes': field('read-only', 'any'),

  // GraphQL: legacy reports (H4, R0), on both roots and under `report`; `legacy.*` are the fields below `report`
  'query.report': field('read-only', 'any', PAIR),
  'mutation.report': field('read-only', 'any', PAIR),
  'query.report_defs': field('read-only', 'any', PAIR),
  'query.report_task': field('read-only', 'any', PAIR),
  'query.report_tasks': field('read-only', 'any', PAIR),
  'mutation.generate_report': field('read-only', 'any', PAIR),

  // GraphQL: scheduled reports
  'query.reportSchedules': field('read-only', ['REPORTS']),
  'query.reportSchedule': field('read-only', ['REPORTS']),
  'mutation.createReportSchedule': field('read-write', ['REPORTS']),
  'mutation.updateReportSchedule': field('read-write', ['REPORTS']),
  'mutation.deleteReportSchedule': field('read-write', ['REPORTS']),
  'mutation.runReportSchedule': field('read-write', ['REPORTS']),
  'query.reportShares': field('read-only', ['REPORTS']),
  'query.allReportShares': field('admin', ['REPORTS']),
  'mutation.claimReportShare': field('admin', ['REPORTS'], SESSION),
  'mutation.shareCampaignReport': field('read-write', ['REPORTS']),
  'mutation.revokeReportShare': field('read-write', ['REPORTS']),

  // GraphQL: booking
  ...resourceFields('advertiser', 'advertisers', 'DELIVERY'),
  ...resourceFields('campaign', 'campaigns', 'DELIVERY'),
  ...resourceFields('lineItem', 'lineItems', 'DELIVERY'),
  ...resourceFields('creative', 'creatives', 'DELIVERY'),
  ...resourceFields('libraryCreative', 'libraryCreatives', 'DELIVERY'),
  ...resourceFields('deal', 'deals', 'DELIVERY'),
  ...resourceFields('advertisingProduct', 'advertisingProducts', 'DELIVERY'),
  'mutation.bookProduct': field('read-write', ['DELIVERY']),
  'mutation.changeBooking': field('read-write', ['DELIVERY']),
  'query.productForecast': field('read-only', ['DELIVERY']),
  ...resourceFields('experiment', 'experiments', 'DELIVERY'),
  'mutation.upsertAdvertisers': field('read-write', ['DELIVERY']),
  'mutation.upsertCampaigns': field('read-write', ['DELIVERY']),
  'mutation.upsertLineItems': field('read-write', ['DELIVERY']),
  'mutation.upsertCreatives': field('read-write', ['DELIVERY']),
  'mutation.upsertLibraryCreatives': field('read-write', ['DELIVERY']),
  'mutation.associateCreatives': field('read-write', ['DELIVERY']),
  'mutation.dissociateCreatives': field('read-write', ['DELIVERY']),
  'mutation.saveCampaign': field('read-write', ['DELIVERY']),
  'mutation.importHistory': field('read-write', ['DELIVERY']),
  'query.importedHistory': field('read-only', ['DELIVERY']),
  'query.isHistoryLoading': field('read-only', ['DELIVERY']),
  'mutation.copyCampaign': field('read-write', ['DELIVERY']),
  'mutation.copyLineItems': field('read-write', ['DELIVERY']),
  'mutation.splitLineItem': field('read-write', ['DELIVERY']),
  'query.lineItemTable': field('read-only', ['DELIVERY']),
  'query.lineItemTabs': field('read-only', ['DELIVERY']),
  'query.explainDecision': field('read-only', ['DELIVERY']),
  'query.inspectDecision': field('read-only', ['DELIVERY']),
  'query.inspectActivityEvent': field('read-only', ['DELIVERY', 'AUDIENCE']),
  'query.availability': field('read-only', ['DELIVERY', 'INVENTORY']),
  'query.forecast': field('read-only', ['DELIVERY']),
  'query.forecastAccuracy': field('read-only', ['DELIVERY', 'INVENTORY']),
  'query.floorSuggestions': field('read-only', ['DELIVERY']),

  /** Each kind of object is checked by the name of its own query. */
  'query.search': field('read-only', 'any'),
  'query.changes': field('read-only', 'any'),

  // GraphQL: the team. Comments and notifications are of members; keys are nobody
  'query.asset': field('read-only', ['DELIVERY']),
  'query.assets': field('read-only', ['DELIVERY']),
  'query.offering': field('read-only', ['DELIVERY']),
  'query.agentRequest': field('read-only', ['DELIVERY']),
  'query.agentRequests': field('read-only', ['DELIVERY']),
  'mutation.beginAgentRequest': field('read-write', ['DELIVERY']),
  'mutation.endAgentRequest': field('read-write', ['DELIVERY']),
  'mutation.discardAgentRequest': field('read-write', ['DELIVERY']),
  'mutation.decideAgentRequest': field('read-write', ['DELIVERY']),
  'query.comments': field('read-only', ['DELIVERY']),
  'query.colleagues': field('read-only', 'any', SESSION),
  'mutation.addComment': field('read-write', ['DELIVERY'], SESSION),
  'mutation.deleteComment': field('read-write', ['DELIVERY'], SESSION),
  'query.notifications': field('read-only', 'any', SESSION),
  'query.unreadNotifications': field('read-only', 'any', SESSION),
  // What a member reads and chooses for themselves, whatever their permission.
  'mutation.markNotificationsRead': field('read-only', 'any', SESSION),
  'query.notificationChoices': field('read-only', 'any', SESSION),
  'mutation.chooseNotifications': field('read-only', 'any', SESSION),
  'mutation.snoozeAttention': field('read-only', ['DELIVERY'], SESSION),
  'mutation.handOverAttention': field('read-write', ['DELIVERY'], SESSION),
  'query.bookingsToApprove': field('read-only', ['DELIVERY']),
  'mutation.requestBookingApproval': field('read-write', ['DELIVERY']),
  'mutation.approveBooking': field('admin', ['DELIVERY'], SESSION),

  // GraphQL: teams and custom fields, which all kinds of booked objects have
  ...resourceFields('team', 'teams', 'DELIVERY', MODULES),
  ...resourceFields('customField', 'customFields', 'DELIVERY', MODULES),
  ...resourceFields('targetingPreset', 'targetingPresets', 'DELIVERY'),

  // GraphQL: inventory
  ...resourceFields('site', 'sites', 'INVENTORY', TARGETED),
  ...resourceFields('area', 'areas', 'INVENTORY', TARGETED),
  ...resourceFields('adUnit', 'adUnits', 'INVENTORY', TARGETED),
  ...resourceFields('keyValue', 'keyValues', 'INVENTORY', TARGETED),
  ...resourceFields('floor', 'floors', 'INVENTORY'),

  // GraphQL: audience
  ...resourceFields('activity', 'activities', 'AUDIENCE'),
  ...resourceFields('segment', 'segments', 'AUDIENCE', TARGETED),

  // GraphQL: administration
  'mutation.updateNetwork': shared(),
  'query.apiKey': field('admin', 'all'),
  'query.apiKeys': field('admin', 'all'),
  'mutation.createApiKey': field('admin', 'all'),
  'mutation.rotateApiKey': field('admin', 'all'),
  'mutation.revokeApiKey': field('admin', 'all'),
  'query.headerCredentials': field('admin', 'all'),
  'mutation.createHeaderCredential': field('admin', 'all'),
  'mutation.disableHeaderCredential': field('admin', 'all'),
  'mutation.revokeHeaderCredential': field('admin', 'all'),
  'query.users': shared(),
  'mutation.inviteUser': shared(),
  'mutation.updateMembership': shared(),
  'mutation.removeMembership': shared(),
  'mutation.endSession': shared(),
  'mutation.revokeMembership': shared(),
  'mutation.revokeSession': shared(),
  'query.invitations': shared(),
  'mutation.revokeInvitation': shared(),
  'query.auditLog': shared(),

  // GraphQL: webhooks, which are told of all changes of an environment
  'query.webhooks': field('admin', 'all'),
  'query.webhook': field('admin', 'all'),
  'mutation.createWebhook': field('admin', 'all'),
  'mutation.updateWebhook': field('admin', 'all'),
  'mutation.deleteWebhook': field('admin', 'all'),
  'mutation.testWebhook': field('admin', 'all'),
  'mutation.redeliverWebhook': field('admin', 'all'),
};

/** Whether a permission includes another: read-only < read-write < admin. */
export function includesPermission(held: Permission, asked: Permission): boolean {
  return PERMISSIONS.indexOf(held) >= PERMISSIONS.indexOf(asked);
}

/** The rule of an operation. @throws Error for a name without an entry: a mistake in the program, found by its tests. */
export function ruleOf(operation: string): OperationRule {
  const rule = Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation] : undefined;
  if (rule === undefined) throw new Error(`The permission table has no operation "${operation}"`);
  return rule;
}

/** A caller, and the second one when a request has a key *and* a login/token pair of the same network (H4). */
export interface AuthenticatedPrincipal extends Principal {
  readonly also?: Principal;
}

/**
 * Checks that a caller may do an operation, and returns the principal that does it (the one whose scheme opens it), which is
 * the one to name in the audit log. A write of a user, key or credential needs no more than this.
 *
 * @throws PlacardError `authentication_required` when the operation wants another scheme, `insufficient_permissions` when the
 * key's permission or module scope is too narrow, or the operation has no entry; `verification_required` when a signed-in member has to
 * verify their identity again.
 */
export function requirePermission(principal: AuthenticatedPrincipal, operation: string): Principal {
  if (!Object.hasOwn(OPERATIONS, operation)) throw tooNarrow(operation, null);
  const rule = ruleOf(operation);
  const candidates = principal.also === undefined ? [principal] : [principal, principal.also];
  const fitting = candidates.filter((candidate) => rule.schemes.includes(candidate.kind));
  if (fitting.length === 0) throw missingCredentials(rule);
  const allowed = fitting.find((candidate) => isWithinScope(candidate, operation, rule));
  if (allowed === undefined) throw tooNarrow(operation, rule);
  if (allowed.kind === 'session') requireVerification(allowed.verification ?? 'none', operation);
  return allowed;
}

/** Whether a caller may read what an operation reads. For reads only: a write may need a new verification as well. */
export function mayRead(principal: AuthenticatedPrincipal, operation: string): boolean {
  const rule = ruleOf(operation);
  const candidates = principal.also === undefined ? [principal] : [principal, principal.also];
  return candidates.some(
    (candidate) => rule.schemes.includes(candidate.kind) && isWithinScope(candidate, operation, rule),
  );
}

function isWithinScope(principal: Principal, operation: string, rule: OperationRule): boolean {
  if (!includesPermission(principal.permission, rule.permission)) return false;
  if (principal.buyer !== undefined) return BUYER_OPERATIONS.has(operation);
  if (rule.reachesProduction === true && principal.environment === 'staging' && principal.kind !== 'session')
    return false;
  if (rule.modules === 'any' || principal.modules === null) return true;
  if (rule.modules === 'all') return false;
  return rule.modules.some((module) => principal.modules?.includes(module) === true);
}

/** The error for a call without credentials of any scheme that the operation takes (K8, H2). */
export function missingCredentials(rule: OperationRule): PlacardError {
  if (rule.schemes.includes('apiKey')) return new PlacardError('authentication_required');
  if (rule.schemes.includes('session')) return new PlacardError('authentication_required', 'Sign in first');
  return new PlacardError('authentication_required', 'Missing x-internal-auth-login and x-internal-auth-token headers');
}

function tooNarrow(operation: string, rule: OperationRule | null): PlacardError {
  const required = rule === null ? {} : { required: { permission: rule.permission, modules: rule.modules } };
  return new PlacardError('insufficient_permissions', undefined, { details: { operation, ...required } });
}
