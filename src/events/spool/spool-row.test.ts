import { describe, expect, test } from 'vitest';
import { EMPTY_EVENT_ROW } from '../recording/event-rows.ts';
import { EVENT_COLUMNS } from '../shipping/events.olap.ts';
import { eventIdOf, nameColumns, ROW_COLUMNS, toArray, toStoredRow } from './spool-row.ts';

const row = { ...EMPTY_EVENT_ROW, event_id: 'a', workspace_id: 1, kind: 'impression', time: '2026-05-01 10:00:00.000' };

describe('rows of spool lines', () => {
  test('a row has a position for each column of the event table', () => {
    expect(ROW_COLUMNS.toSorted()).toEqual(EVENT_COLUMNS.toSorted());
  });

  test('columns keep the positions that files on disk have', () => {
    const known =
      'event_id workspace_id kind time impression_id advertiser_id campaign_id line_item_id line_item_type creative_id creative_format deal_id advertising_product_id site_id area_id ad_unit_id size country region device_type os browser npa user_hash activity_id attribution value_micros revenue_nanos quantity invalid_reason key_values activity_event order_reference item_count tax_micros products';
    expect(ROW_COLUMNS.join(' ').startsWith(known)).toBe(true);
  });

  test('a row leaves out empty columns at its end, and gets its names back', () => {
    const stored = toStoredRow({ ...row, products: '[]' });
    expect(Array.isArray(stored) && stored.length).toBe(ROW_COLUMNS.length);
    expect(JSON.parse(nameColumns(JSON.stringify(stored)))).toEqual({ ...row, products: '[]' });
    expect(toStoredRow({ event_id: 'a', kind: 'click' })).toEqual(['a', null, 'click']);
  });

  test('a row with names has the same content as an array', () => {
    for (const text of [JSON.stringify(row), JSON.stringify(toStoredRow(row))]) {
      const changed = toArray(Buffer.from(text)).toString();
      expect(changed.startsWith('[')).toBe(true);
      expect(JSON.parse(nameColumns(changed))).toEqual(row);
      expect(eventIdOf(Buffer.from(changed))).toBe('a');
    }
  });

  test.each(['{"event_id":', '{"no_column":1}', '7', '{"os":"\xff"}'])('a row stays as it is when it is %s', (text) => {
    expect(toArray(Buffer.from(text, 'latin1'))).toEqual(Buffer.from(text, 'latin1'));
  });
});
