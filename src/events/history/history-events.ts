import { type EventKind, type EventRow, formatEventTime } from '../../domain/events/event.ts';
import { HISTORY_EVENT_PREFIX } from '../../domain/reporting/imported-history.ts';
import { EMPTY_EVENT_ROW, type NewEventRow } from '../recording/event-rows.ts';
import type { BookedHour, WaitingImport } from './history-imports.sql.ts';

/** What one hour is as events; requests are of the ad unit alone, as those of delivery. */
const KINDS: readonly { readonly kind: EventKind; readonly of: (hour: BookedHour) => bigint }[] = [
  { kind: 'request', of: ({ requests }) => requests },
  { kind: 'served', of: ({ impressions }) => impressions },
  { kind: 'impression', of: ({ impressions }) => impressions },
  { kind: 'click', of: ({ clicks }) => clicks },
  { kind: 'activity', of: ({ conversions }) => conversions },
];
const EARNING: readonly EventKind[] = ['impression', 'click', 'activity'];

/** The rows of `events` of one import. Their ids and order follow from the import alone. */
export function historyEvents({ workspaceId, id }: WaitingImport, hours: readonly BookedHour[]): EventRow[] {
  return hours.flatMap((hour, index) => {
    const counted = KINDS.filter(({ of }) => of(hour) > 0n).map(({ kind, of }) => ({
      kind,
      quantity: Number(of(hour)),
    }));
    // The revenue is with one kind; an hour that earned without any event has an impression that counts as none.
    const earning = counted.find(({ kind }) => EARNING.includes(kind))?.kind ?? null;
    const events =
      hour.revenueNanos > 0n && earning === null
        ? [...counted, { kind: EARNING[0] as EventKind, quantity: 0 }]
        : counted;
    return events.map(({ kind, quantity }): EventRow => {
      const row: NewEventRow = {
        ...EMPTY_EVENT_ROW,
        event_id: `${HISTORY_EVENT_PREFIX}${workspaceId}:${id}:${index}:${kind}`,
        workspace_id: workspaceId,
        kind,
        time: formatEventTime(hour.hourMs),
        site_id: idText(hour.siteId),
        area_id: idText(hour.areaId),
        ad_unit_id: idText(hour.adUnitId),
        quantity,
      };
      if (kind === 'request') return row;
      row.advertiser_id = idText(hour.advertiserId);
      row.campaign_id = idText(hour.campaignId);
      row.line_item_id = idText(hour.lineItemId);
      row.line_item_type = hour.lineItemType;
      row.creative_id = idText(hour.creativeId);
      row.creative_format = hour.creativeFormat;
      row.deal_id = idText(hour.dealId);
      row.advertising_product_id = idText(hour.advertisingProductId);
      row.size = hour.size;
      if (kind === (earning ?? 'impression')) row.revenue_nanos = String(hour.revenueNanos);
      return row;
    });
  });
}

const idText = (id: bigint): string => (BigInt(id) === 0n ? '' : String(id));
