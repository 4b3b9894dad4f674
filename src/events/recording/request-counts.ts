import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../domain/log/log.ts';
import { formatEventTime } from '../../domain/events/event.ts';
import type { EventRow, RequestCountKey, RequestCounts } from '../../domain/events/event.ts';
import { newUlid } from '../../domain/ids/ids.ts';
import type { EventMetrics } from './event-metrics.ts';
import { EMPTY_EVENT_ROW, keyValueColumn } from './event-rows.ts';
import { encodeSpoolLine } from '../spool/spool-line.ts';
import type { Spool } from '../spool/spool.ts';

/** Options of request counts. */
export interface RequestCountsOptions {
  readonly spool: Spool;
  readonly nowMs: () => number;
  readonly log: Log;
  readonly metrics: EventMetrics;
  /** How often sums go to the spool. Default 1_000. */
  readonly flushMs?: number;
  /** Sums kept at once; one more is flushed early. Default 20_000. */
  readonly keysMax?: number;
}

/** Request counts that also flush. */
export interface FlushedRequestCounts extends RequestCounts {
  start(): void;
  /** Sends the sums that are held; resolves when the spool has them, or refused them (then counted as lost). */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

interface Sum {
  readonly key: RequestCountKey;
  quantity: number;
}

/** Sums that are written in one step, which takes less than a millisecond. */
const SLICE = 64;
/** Sums that share a write to the disk. */
const APPENDED_AT_ONCE = 512;
/** The largest value of a UInt32 column. */
const QUANTITY_MAX = 4_294_967_295;

/**
 * Sums requests and served ads in memory and writes the sums to the spool: a killed worker loses at most the last `flushMs` of these counts
 * (nobody is billed by them).
 */
export function createRequestCounts(options: RequestCountsOptions): FlushedRequestCounts {
  const { spool, nowMs, log, metrics, flushMs = 1_000, keysMax = 20_000 } = options;
  let sums = new Map<string, Sum>();
  let timer: NodeJS.Timeout | null = null;

  let flushing: Promise<void> = Promise.resolve();

  const append = async (lines: readonly { readonly line: Buffer; readonly sum: Sum }[], lost: Sum[]): Promise<void> => {
    const ends = await Promise.allSettled(lines.map(({ line }) => spool.append(line)));
    for (const [index, { status }] of ends.entries())
      if (status === 'rejected') lost.push((lines[index] as { sum: Sum }).sum);
  };

  const send = async (taken: Iterable<Sum>): Promise<void> => {
    const time = nowMs();
    const lost: Sum[] = [];
    let lines: { line: Buffer; sum: Sum }[] = [];
    for (const sum of taken) {
      lines.push({ line: encodeSpoolLine(requestRow(sum, time), null), sum });
      // Writing thousands of sums takes tens of milliseconds: requests get their responses in between.
      if (lines.length % SLICE === 0) await nextTurn();
      if (lines.length < APPENDED_AT_ONCE) continue;
      await append(lines, lost);
      lines = [];
    }
    await append(lines, lost);
    if (lost.length === 0) return;
    metrics.countLostRequests(lost.reduce((total, sum) => total + sum.quantity, 0));
    log.event('request_counts.lost', { sums: lost.length });
  };

  const flush = (): Promise<void> => {
    if (sums.size > 0) {
      const taken = sums.values();
      sums = new Map();
      flushing = flushing.then(() => send(taken));
    }
    return flushing;
  };

  return {
    add: (text, quantity, key) => {
      const sum = sums.get(text);
      if (sum !== undefined) {
        sum.quantity = Math.min(QUANTITY_MAX, sum.quantity + quantity);
        return;
      }
      if (sums.size >= keysMax) void flush();
      sums.set(text, { key: key(), quantity });
    },
    start: () => {
      timer ??= setInterval(() => void flush(), flushMs);
      timer.unref();
    },
    flush,
    stop: async () => {
      if (timer !== null) clearInterval(timer);
      timer = null;
      await flush();
    },
  };
}

function requestRow({ key, quantity }: Sum, timeMs: number): EventRow {
  return {
    ...EMPTY_EVENT_ROW,
    event_id: `q:${newUlid(timeMs)}`,
    workspace_id: key.workspaceId,
    kind: key.kind,
    time: formatEventTime(timeMs),
    advertiser_id: key.advertiserId,
    campaign_id: key.campaignId,
    line_item_id: key.lineItemId,
    line_item_type: key.lineItemType,
    creative_id: key.creativeId,
    creative_format: key.creativeFormat,
    deal_id: key.dealId,
    advertising_product_id: key.advertisingProductId,
    site_id: key.siteId,
    area_id: key.areaId,
    ad_unit_id: key.adUnitId,
    size: key.size,
    country: key.country,
    region: key.region,
    device_type: key.deviceType,
    os: key.os,
    browser: key.browser,
    npa: key.npa,
    ...keyValueColumn(key.keyValues),
    quantity,
  };
}
