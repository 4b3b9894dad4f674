import type { Kysely, Transaction } from 'kysely';
import type { Log } from '../../domain/log/log.ts';
import type { AuditEntry } from '../../access/audit/audit.sql.ts';
import type { AuthenticatedPrincipal } from '../../access/permissions/permissions.ts';
import type { Principal } from '../../domain/tenancy/principal.ts';
import type { ActivityInspector } from '../../domain/events/activity-inspection.ts';
import type { AvailabilityService } from '../../domain/booking/availability.ts';
import type { DecisionInspector } from '../../domain/booking/decision-inspection.ts';
import type { DeliveryInsight } from '../../domain/booking/delivery-insight.ts';
import type { ClearedPrices } from '../../domain/pricing/price-guidance.ts';
import type { ExperimentFigures } from '../../domain/experiments/experiment-results.ts';
import type { QuotaLimits } from '../../domain/tenancy/quota.ts';
import type { ReportSchedules } from '../../domain/reporting/report-schedule.ts';
import type { ReportTasks } from '../../domain/reporting/report-task.ts';
import type { WebhookPolicy } from '../../http/webhooks/webhook-target.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { PlacardError } from '../../domain/errors.ts';
import { type ApiVersion, DEFAULT_VERSION } from './api-version.ts';
import { buyerRows } from '../buyers/buyer-rows.sql.ts';
import { budgetPlugin, RequestBudget } from './request-budget.ts';

/**
 * How many objects of a kind a workspace had when they were last counted, and the highest id among them, by workspace and table. The next
 * count looks only at newer ones: new objects get higher ids, and none is deleted.
 */
export type ObjectCounts = Map<string, { readonly objects: number; readonly lastId: bigint }>;

/** The dependencies of resolvers besides the request itself. */
export interface ManagementStores {
  readonly sql: Kysely<Database>;
  /** Delivery counters; null without a hot store (export from the command line). */
  readonly hot: Pick<HotStore, 'readCounters'> | null;
  /** The secret for digests of new keys, tokens and links. */
  readonly secrets: { readonly pepper: Buffer };
  /** The mail queue; absent or null when no mail is sent. */
  readonly mail?: MailQueue | null;
  readonly quotas: QuotaLimits;
  /** Which addresses webhooks may reach beside public ones; default: none. */
  readonly webhookPolicy?: WebhookPolicy;
  readonly nowMs: () => number;
  /** The clock that bounds the time of a request; absent: the monotonic clock of the process. */
  readonly budgetClockMs?: () => number;
  readonly log: Log;
  /** Legacy report tasks; absent where they are not served. */
  readonly reportTasks?: ReportTasks<Kysely<Database>>;
  /** Scheduled reports; absent where they are not served. */
  readonly reportSchedules?: ReportSchedules<Kysely<Database>>;
  /** Kept by work of many transactions in a row; absent: each transaction counts all objects. */
  readonly objectCounts?: ObjectCounts;
  /** Public base address of the core, for links; absent: links are paths. */
  readonly publicUrl?: string;
  /** Whether a file is stored that no workspace uploaded, such as the demo's; absent: it is. */
  readonly hasAsset?: (name: string) => Promise<boolean>;
  /** Whether the history of a workspace is being made, such as the demo's; absent: no history is. */
  readonly isHistoryMade?: (workspaceId: number) => boolean;
  /** Explains decisions; absent where no snapshot is held. */
  readonly deliveryInsight?: DeliveryInsight & DecisionInspector & AvailabilityService;
  /** Reads what experiments had; absent where reports are not served. */
  readonly experimentFigures?: ExperimentFigures;
  /** Reads what line items paid; absent where reports are not served. */
  readonly clearedPrices?: ClearedPrices;
  /** Inspects events of activities; absent where no snapshot is held. */
  readonly activityInspector?: ActivityInspector;
}

/** The headroom of the daily limit after this request, as the response headers have it. */
export interface DailyHeadroom {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds. */
  readonly resetSeconds: number;
}

/** What a request uses of the limits of its network. */
export interface RequestUse {
  cost: number;
  readonly daily: DailyHeadroom | null;
}

/** The context of one request in all resolvers. Each request has its own context and its own data loaders. */
export interface ManagementContext extends ManagementStores {
  readonly webhookPolicy: WebhookPolicy;
  /** The audit log names this principal; all reads and writes go to its workspace. */
  readonly principal: Principal;
  /** The caller with its credentials; permissions are checked against it. */
  readonly caller: AuthenticatedPrincipal;
  readonly requestId: string;
  /** The change of many objects that this request is a part of; null: it stands alone. */
  readonly changeSet: string | null;
  /** The transaction of a request that carries an idempotency key; null: each mutation field opens its own. */
  transaction: Transaction<Database> | null;
  /** How deep savepoints are nested in `transaction`. */
  savepoints: number;
  /** The entries that the running transaction writes to the audit log at its end, in order. */
  audits: AuditEntry[];
  /** The loaders of this request, by name; see `loaders.ts`. */
  readonly loaders: Map<string, unknown>;
  /** The version of the API that the request was written for. */
  readonly version: ApiVersion;
  /** The mistakes that mutations of this request showed as `userErrors`. */
  readonly refusals: PlacardError[];
  /** The cost of the document, and the headroom of the caller's daily limit; null where calls are not counted. */
  readonly use: RequestUse;
  /** Aborted when the caller leaves before the response. */
  readonly signal: AbortSignal;
  /** The remaining read budget of the request; `sql` counts every row against it. */
  readonly budget: RequestBudget;
}

/** The signal of a caller that cannot leave. */
const STAYS = new AbortController().signal;

/** What a request says of itself beside its body. */
export interface CallFacts {
  readonly version?: ApiVersion;
  readonly changeSet?: string | null;
  readonly daily?: DailyHeadroom | null;
  readonly signal?: AbortSignal;
}

/** The context of one request. */
export function createContext(
  stores: ManagementStores,
  caller: AuthenticatedPrincipal,
  requestId: string,
  call: CallFacts = {},
): ManagementContext {
  const { sql, hot, secrets, mail = null, quotas, nowMs, log, reportTasks, reportSchedules, deliveryInsight } = stores;
  const { objectCounts, hasAsset, isHistoryMade, publicUrl, activityInspector, experimentFigures, clearedPrices } =
    stores;
  const budget = new RequestBudget(stores.budgetClockMs);
  const counted = sql.withPlugin(budgetPlugin(budget));
  const own = {
    principal: caller,
    caller,
    requestId,
    changeSet: call.changeSet ?? null,
    transaction: null,
    savepoints: 0,
    audits: [],
    loaders: new Map(),
    version: call.version ?? DEFAULT_VERSION,
    refusals: [],
    use: { cost: 0, daily: call.daily ?? null },
    signal: call.signal ?? STAYS,
    budget,
  };
  return {
    sql:
      caller.buyer === undefined
        ? counted
        : counted.withPlugin(buyerRows(caller.buyer, caller.workspaceId, caller.actor)),
    hot,
    secrets,
    mail,
    quotas,
    webhookPolicy: stores.webhookPolicy ?? { allowedRanges: [] },
    nowMs,
    log,
    ...own,
    ...(reportTasks === undefined ? {} : { reportTasks }),
    ...(reportSchedules === undefined ? {} : { reportSchedules }),
    ...(deliveryInsight === undefined ? {} : { deliveryInsight }),
    ...(experimentFigures === undefined ? {} : { experimentFigures }),
    ...(clearedPrices === undefined ? {} : { clearedPrices }),
    ...(activityInspector === undefined ? {} : { activityInspector }),
    ...(objectCounts === undefined ? {} : { objectCounts }),
    ...(hasAsset === undefined ? {} : { hasAsset }),
    ...(isHistoryMade === undefined ? {} : { isHistoryMade }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
  };
}
