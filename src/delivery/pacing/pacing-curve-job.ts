import type { Kysely } from 'kysely';
import type { Log } from '../../domain/log/log.ts';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { buildCurve, CURVE_DAYS } from '../../domain/pacing/traffic-curve.ts';
import type { HourlyRequests, InventoryCurve, InventoryKind } from '../../domain/pacing/traffic-curve.ts';
import { learnLineItemCurves } from './line-item-curves.ts';
import type { MetOpportunity } from './line-item-curves.ts';
import { deleteStaleLineItemCurves, readWorkspaceTimezones, writeCurves } from './pacing-curve.sql.ts';

const HOUR_MS = 3_600_000;
const EVERY_MS = HOUR_MS;
/** After a failure, such as an analytics store that is still starting. */
const RETRY_MS = 60_000;
/** With fewer hours of history, a network stays on a flat curve, a site on the network's, and an area or ad unit on its site's. */
const HOURS_MIN = 24;

/** Requests of one site, area or ad unit, hour by hour; the site '0' is the whole network. */
export interface InventoryRequests {
  readonly kind: InventoryKind;
  readonly inventoryId: string;
  readonly hours: readonly HourlyRequests[];
}

/** The parts of the job. */
export interface CurveJobDeps {
  readonly sql: Kysely<Database>;
  /** Of one workspace, from the analytics store; both bounds are whole hours of UTC, the end is exclusive. */
  readonly readRequestHours: (
    workspaceId: number,
    during: readonly [fromMs: number, toMs: number],
  ) => Promise<readonly InventoryRequests[]>;
  /** A sample of the opportunities of one workspace, in any order; absent: line items have no curves of their own. */
  readonly readMet?: (workspaceId: number, nowMs: number) => AsyncIterable<MetOpportunity>;
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * Computes once an hour every network's traffic curve of its last 28 days, and the curves of its inventory and of line items that are
 * eligible for a part of the traffic. Runs where jobs run.
 */
export class CurveJob extends RecurringJob {
  readonly #deps: CurveJobDeps;

  constructor(deps: CurveJobDeps) {
    super({ firstMs: 0, everyMs: EVERY_MS, retryMs: RETRY_MS });
    this.#deps = deps;
  }

  /** Computes the curves now, one workspace after another, so that memory holds the history of one. @throws what the stores throw */
  async run(): Promise<void> {
    const { sql, nowMs, readRequestHours } = this.#deps;
    const untilMs = Math.floor(nowMs() / HOUR_MS) * HOUR_MS;
    for (const [workspaceId, timezone] of await readWorkspaceTimezones(sql)) {
      if (this.isStopped) return;
      const inventory = await readRequestHours(workspaceId, [untilMs - CURVE_DAYS * 24 * HOUR_MS, untilMs]);
      const curves = curvesOf(workspaceId, inventory, { timezone, untilMs });
      await writeCurves(sql, curves, new Date(nowMs()));
      await this.#learnLineItems(workspaceId, curves);
    }
  }

  /** Line items have no curves until their network has one. A failure here does not stop the other networks. */
  async #learnLineItems(workspaceId: number, curves: readonly InventoryCurve[]): Promise<void> {
    const { sql, nowMs, readMet } = this.#deps;
    const base = curves.find(({ kind, inventoryId }) => kind === 'site' && inventoryId === '0');
    if (readMet === undefined || base === undefined) return;
    const about = { workspaceId, nowMs: nowMs(), base };
    try {
      const learnt = await learnLineItemCurves(sql, about, () => readMet(workspaceId, about.nowMs));
      await writeCurves(sql, learnt.curves, new Date(nowMs()));
      await deleteStaleLineItemCurves(sql, workspaceId, learnt.lineItemIds);
    } catch (error) {
      this.#deps.log.event('pacing.line_item_curves_failed', { err: error, workspaceId });
    }
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('pacing.curves_failed', { err: error });
  }
}

/** The curves of a network and its inventory, where the history is long enough. */
function curvesOf(
  workspaceId: number,
  inventory: readonly InventoryRequests[],
  { timezone, untilMs }: { timezone: string; untilMs: number },
): InventoryCurve[] {
  return inventory
    .filter(({ hours }) => hours.length >= HOURS_MIN)
    .map(({ kind, inventoryId, hours }) => {
      const firstMs = Math.min(...hours.map(({ startMs }) => startMs));
      const requests = hours.reduce((sum, hour) => sum + hour.requests, 0);
      const requestsPerHour = requests / Math.max(1, (untilMs - firstMs) / HOUR_MS);
      return { workspaceId, kind, inventoryId, requestsPerHour, ...buildCurve(hours, timezone, untilMs) };
    });
}
