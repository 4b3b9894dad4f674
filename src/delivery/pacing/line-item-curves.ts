import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { InventoryCurve, TrafficCurve } from '../../domain/pacing/traffic-curve.ts';
import { isNarrowed } from '../../domain/pacing/traffic-inventory.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { readOpportunityJson } from '../traffic/opportunity-json.ts';
import { readSampleFrame, streamSamples } from '../traffic/opportunity-sample.olap.ts';
import type { StreamedSample } from '../traffic/opportunity-sample.olap.ts';
import type { Opportunity } from '../../domain/requests/opportunity.ts';
import { EligibleTraffic } from './eligible-traffic.ts';
import { readPacedLineItems } from './pacing-curve.sql.ts';

/** The most opportunities of one workspace that are read. */
export const CURVE_SAMPLE_MAX = 50_000;
/** The most line items of one workspace that are checked, and that get curves of their own: those that end first. */
const LINE_ITEMS_MAX = 5_000;
const CURVES_MAX = 200;
/** Opportunities between two turns of the event loop: a few milliseconds at most. */
const SLICE = 20;

/** One opportunity of the past. */
export interface MetOpportunity {
  readonly atMs: number;
  readonly opportunity: Opportunity;
}

/**
 * The sample that workers took of a workspace within the last 14 days, in any order; streamed, not held in memory. @throws OlapError,
 * SyntaxError
 */
export async function* readMetOpportunities(
  olap: Pick<Olap, 'query' | 'stream'>,
  workspaceId: number,
  nowMs: number,
): AsyncGenerator<MetOpportunity> {
  const frame = await readSampleFrame(olap, workspaceId, nowMs);
  if (frame === null) return;
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of streamSamples(olap, workspaceId, frame, CURVE_SAMPLE_MAX)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield readMet(line);
  }
  if (rest !== '') yield readMet(rest);
}

function readMet(line: string): MetOpportunity {
  const { at_ms, opportunity } = JSON.parse(line) as StreamedSample;
  return { atMs: Number(at_ms), opportunity: readOpportunityJson(opportunity) as Opportunity };
}

/** The curves of line items. */
export interface LineItemCurves {
  /** All line items that should have curves of their own, including those without enough sample. */
  readonly lineItemIds: readonly string[];
  readonly curves: readonly InventoryCurve[];
}

/**
 * The curves of line items that are eligible for a part of the traffic only (a country, a key-value …), which may come at other hours than
 * the rest. The sample gives the eligible share of each hour of the week. At most 200 of a workspace.
 * @param base the curve of all traffic, and its volume
 * @param met read only where there is a line item to learn about
 */
export async function learnLineItemCurves(
  sql: Kysely<Database>,
  {
    workspaceId,
    nowMs,
    base,
  }: { workspaceId: number; nowMs: number; base: TrafficCurve & { requestsPerHour: number } },
  met: () => AsyncIterable<MetOpportunity>,
): Promise<LineItemCurves> {
  const { timezone, requestsPerHour } = base;
  const paced = await readPacedLineItems(sql, { workspaceId, timezone }, { nowMs, max: LINE_ITEMS_MAX });
  const lineItems = paced.filter(({ targeting }) => isNarrowed(targeting)).slice(0, CURVES_MAX);
  const lineItemIds = lineItems.map(({ id }) => id);
  if (lineItems.length === 0) return { lineItemIds, curves: [] };
  const traffic = new EligibleTraffic(lineItems, base);
  let seen = 0;
  for await (const { opportunity, atMs } of met()) {
    traffic.record(opportunity, atMs);
    seen += 1;
    if (seen % SLICE === 0) await nextTurn();
  }
  const curves = lineItems.flatMap(({ id }, at): InventoryCurve[] => {
    const found = traffic.curveOf(at);
    if (found === null) return [];
    return [
      {
        workspaceId,
        kind: 'lineItem',
        inventoryId: id,
        requestsPerHour: requestsPerHour * traffic.shareOf(at),
        ...found,
      },
    ];
  });
  return { lineItemIds, curves };
}
