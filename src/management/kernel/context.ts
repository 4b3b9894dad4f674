import type { Kysely, Transaction } from 'kysely';
import type { Log } from '../../domain/log/log.ts';
import type { AuditEntry } from '../../access/audit/audit.sql.ts';
import type { AuthenticatedPrincipal } from '../../access/permissions/permissions.ts';
import type { Principal } from '../../domain/tenancy/principal.ts';
import type { DeliveryInsight } from '../../domain/booking/delivery-insight.ts';
import type { QuotaLimits } from '../../domain/tenancy/quota.ts';
import type { ReportSchedules } from '../../domain/reporting/report-schedule.ts';
import type { ReportTasks } from '../../domain/reporting/report-task.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { budgetPlugin, RequestBudget } from './request-budget.ts';

/** What resolvers need beside the request itself. */
export interface ManagementStores {
  readonly sql: Kysely<Database>;
  /** Delivery counters; null when the hot store is not there (export from the command line). */
  readonly hot: Pick<HotStore, 'readCounters'> | null;
  /** Under which new keys, tokens and links are digested. */
  readonly secrets: { readonly pepper: Buffer };
  /** Absent or null: no mail is sent. */
  readonly mail?: MailQueue | null;
  readonly quotas: QuotaLimits;
  readonly nowMs: () => number;
  readonly log: Log;
  /** Legacy report tasks; absent where they are not served. */
  readonly reportTasks?: ReportTasks<Kysely<Database>>;
  /** Scheduled reports; absent where they are not served. */
  readonly reportSchedules?: ReportSchedules<Kysely<Database>>;
  /** Explains decisions; absent where no snapshot is held. */
  readonly deliveryInsight?: DeliveryInsight;
}

/** All that one request carries through the resolvers. Data loaders are keyed by this very object: one a request. */
export interface ManagementContext extends ManagementStores {
  /** Who the audit log names, and whose workspace everything is read from and written to. */
  readonly principal: Principal;
  /** The caller with everything it came with; what permissions are asked for. */
  readonly caller: AuthenticatedPrincipal;
  readonly requestId: string;
  /** The transaction of a request that carries an idempotency key; null: each mutation field opens its own. */
  transaction: Transaction<Database> | null;
  /** How deep savepoints are nested in `transaction`. */
  savepoints: number;
  /** What the running transaction will write to the audit log at its end, in order. */
  audits: AuditEntry[];
  /** Loaders of this request, by name; see `loader-cache.ts`. */
  readonly loaders: Map<string, unknown>;
  /** What the request may still read and take; `sql` counts every row into it. */
  readonly budget: RequestBudget;
}

/** The context of one request. */
export function createContext(
  stores: ManagementStores,
  caller: AuthenticatedPrincipal,
  requestId: string,
): ManagementContext {
  const { sql, hot, secrets, mail = null, quotas, nowMs, log, reportTasks, reportSchedules, deliveryInsight } = stores;
  const budget = new RequestBudget();
  const own = {
    principal: caller,
    caller,
    requestId,
    transaction: null,
    savepoints: 0,
    audits: [],
    loaders: new Map(),
    budget,
  };
  return {
    sql: sql.withPlugin(budgetPlugin(budget)),
    hot,
    secrets,
    mail,
    quotas,
    nowMs,
    log,
    ...own,
    ...(reportTasks === undefined ? {} : { reportTasks }),
    ...(reportSchedules === undefined ? {} : { reportSchedules }),
    ...(deliveryInsight === undefined ? {} : { deliveryInsight }),
  };
}
