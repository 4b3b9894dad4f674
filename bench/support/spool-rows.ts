import { formatEventTime } from '../../src/domain/events/event.ts';
import { newUlid } from '../../src/domain/ids/ids.ts';
import { EMPTY_EVENT_ROW } from '../../src/events/recording/event-rows.ts';
import { encodeSpoolLine } from '../../src/events/spool/spool-line.ts';

const COUNTERS = [
  'li/1/imp/all',
  'li/1/imp/d',
  'ca/1/imp/all',
  'ca/1/imp/d',
  'ad/1/imp/all',
  'ad/1/imp/d',
  'li/1/spend/all',
];

/** A line of a spool file, with a claim as an impression's: six delivery counters and one of money. */
export function spoolLineOf(at: number): Buffer {
  const row = rowOf(at);
  const increments = COUNTERS.map((one) => ({ key: `d/1/${one}`, by: 1n, ttlMs: 86_400_000 }));
  return encodeSpoolLine(row, { key: `e/${String(row['event_id'])}`, ttlMs: 172_800_000, increments, pushes: [] });
}

function rowOf(at: number): Record<string, unknown> {
  const atMs = Date.now() - (at % 600) * 1_000;
  return {
    ...EMPTY_EVENT_ROW,
    event_id: `${newUlid(atMs)}:imp`,
    impression_id: newUlid(atMs),
    workspace_id: 1 + (at % 3),
    kind: 'impression',
    time: formatEventTime(atMs),
    advertiser_id: String(10 + (at % 20)),
    campaign_id: String(100 + (at % 50)),
    line_item_id: String(1_000 + (at % 200)),
    line_item_type: 'STANDARD',
    creative_id: String(5_000 + (at % 400)),
    creative_format: 'IMAGE',
    site_id: String(1 + (at % 10)),
    area_id: String(1 + (at % 30)),
    ad_unit_id: String(1 + (at % 60)),
    size: '300x250',
    country: ['PL', 'DE', 'FR', 'US'][at % 4],
    device_type: ['desktop', 'phone'][at % 2],
    os: 'Linux',
    browser: 'Chrome',
    user_hash: String(1_000_000_007 * (at % 100_000)),
    revenue_nanos: '12340000',
  };
}
