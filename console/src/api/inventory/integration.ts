import type { MediaType } from '../../../../sdk/client/src/schema.ts';
import { askGraphql } from '../transport/graphql.ts';
import { loadReport } from '../reports/reports.ts';
import type { Scope } from '../transport/scope.ts';
import { sendJson } from '../transport/send.ts';

/** An ad unit, as snippets need it. */
export interface IntegratedAdUnit {
  readonly id: string;
  readonly name: string;
  readonly sizes: readonly { readonly width: number; readonly height: number }[];
  readonly mediaTypes: readonly MediaType[];
  readonly site: { readonly code: string; readonly domain: string } | null;
  readonly area: { readonly code: string } | null;
}

const AD_UNIT = `query ConsoleIntegratedAdUnit($id: ID!) {
  adUnit(id: $id) { id name sizes { width height } mediaTypes site { code domain } area { code } }
}`;

/** The ad unit of an id; null for an unknown one. */
export async function loadAdUnit(scope: Scope, id: string, signal?: AbortSignal): Promise<IntegratedAdUnit | null> {
  return (await askGraphql<{ adUnit: IntegratedAdUnit | null }>(scope, AD_UNIT, { id }, signal)).adUnit;
}

/** Public base address of delivery. */
export async function loadDeliveryUrl(signal?: AbortSignal): Promise<string> {
  const sending = signal === undefined ? {} : { signal };
  return (await sendJson<{ delivery: string }>('/console/addresses', sending)).delivery;
}

/** The requests of an ad unit, and their outcome. */
export interface AdUnitCounts {
  readonly requests: number;
  readonly served: number;
  readonly impressions: number;
}

const COUNTS = ['requests', 'served', 'impressions'] as const;

/** The counts of an ad unit yesterday and today: a count that is compared with a later one must not lose a day. */
export async function countAdUnit(scope: Scope, adUnitId: string, signal?: AbortSignal): Promise<AdUnitCounts> {
  const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const { rows } = await loadReport(
    scope,
    {
      measures: COUNTS.map((name) => `campaign_overview.${name}`),
      dimensions: [],
      timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: [day(1), day(0)] }],
      filters: [{ member: 'campaign_overview.ad_unit_id', operator: 'equals', values: [adUnitId] }],
      order: [],
      timezone: 'UTC',
      limit: 1,
    },
    signal === undefined ? {} : { signal },
  );
  const count = (name: (typeof COUNTS)[number]): number => Number(rows[0]?.[`campaign_overview.${name}`] ?? 0);
  return { requests: count('requests'), served: count('served'), impressions: count('impressions') };
}
