import { isDeepStrictEqual } from 'node:util';
import type { Log } from '../../domain/log/log.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import {
  type CurveKind,
  flatCurve,
  type InventoryCurve,
  type TrafficCurve,
} from '../../domain/pacing/traffic-curve.ts';
import { inventoryCurve } from '../../domain/pacing/traffic-inventory.ts';
import { readCurves } from './pacing-curve.sql.ts';
import type { SitedInventory } from './pacing-inventory.ts';

const RELOAD_MS = 300_000;
/** The most sets of inventory with a cached curve. */
const MERGED_MAX = 2_000;

/** The traffic curves as a worker knows them: read at start and every five minutes. The last ones stay in use when a read fails. */
export class CurveFeed {
  readonly #sql: Kysely<Database>;
  readonly #log: Log;
  #curves = new Map<string, InventoryCurve>();
  readonly #merged = new Map<string, TrafficCurve>();
  readonly #flat = new Map<string, TrafficCurve>();
  #timer: NodeJS.Timeout | null = null;
  #reading: Promise<void> = Promise.resolve();

  constructor(sql: Kysely<Database>, log: Log) {
    this.#sql = sql;
    this.#log = log;
  }

  /** Reads once, without failing, and then every five minutes. */
  async start(): Promise<void> {
    await this.reload();
    this.#timer = setInterval(() => {
      this.#reading = this.reload();
    }, RELOAD_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#reading;
  }

  /**
   * The curve of a network (`inventory` null) or of some of its inventory. The network's where a part of that has none, and a flat one
   * where the network has none. The same object until something changes.
   */
  find(workspaceId: number, timezone: string, inventory: SitedInventory | null): TrafficCurve {
    const whole = this.#curves.get(keyOf(workspaceId, 'site', '0')) ?? this.#flatCurve(timezone);
    if (inventory === null) return whole;
    const key = `${workspaceId}/${inventory.kind}/${inventory.ids.join(',')}`;
    let merged = this.#merged.get(key);
    if (merged === undefined) {
      const found = inventoryCurve(inventory, inventory.siteIds, (kind, id) =>
        this.#curves.get(keyOf(workspaceId, kind, id)),
      );
      merged = found ?? whole;
      if (this.#merged.size >= MERGED_MAX) this.#merged.clear();
      this.#merged.set(key, merged);
    }
    return merged;
  }

  /** Unchanged curves keep their identity, so that plans stay valid. */
  async reload(): Promise<void> {
    try {
      const read = await readCurves(this.#sql);
      let isSame = read.length === this.#curves.size;
      const curves = new Map<string, InventoryCurve>();
      for (const curve of read) {
        const key = keyOf(curve.workspaceId, curve.kind, curve.inventoryId);
        const before = this.#curves.get(key);
        const isKept = before !== undefined && isDeepStrictEqual(before, curve);
        isSame &&= isKept;
        curves.set(key, isKept ? before : curve);
      }
      this.#curves = curves;
      if (!isSame) this.#merged.clear();
    } catch (error) {
      this.#log.event('pacing.curves_not_read', { err: error });
    }
  }

  /** The curve of a line item's eligible traffic; null where it uses the one of its inventory. The same object until something changes. */
  findOwn(workspaceId: number, lineItemId: string): TrafficCurve | null {
    return this.#curves.get(keyOf(workspaceId, 'lineItem', lineItemId)) ?? null;
  }

  #flatCurve(timezone: string): TrafficCurve {
    let flat = this.#flat.get(timezone);
    if (flat === undefined) this.#flat.set(timezone, (flat = flatCurve(timezone)));
    return flat;
  }
}

function keyOf(workspaceId: number, kind: CurveKind, id: string): string {
  return `${workspaceId}/${kind}/${id}`;
}
