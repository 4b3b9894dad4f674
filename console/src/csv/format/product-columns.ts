import { CHANNEL_NAMES, DIMENSION_NAMES } from '../../api/bookings/catalog.ts';
import type { CsvColumn } from './csv-column.ts';

/** The columns of products beside name, description, status and what all kinds have. Fields of several parts are JSON, as the API has them. */
export const PRODUCT_COLUMNS: readonly CsvColumn[] = [
  {
    name: 'delivery',
    field: 'delivery',
    cell: 'choice',
    choices: ['GUARANTEED', 'NON_GUARANTEED'],
    example: 'GUARANTEED',
  },
  { name: 'channels', field: 'channels', cell: 'list', empty: [], choices: CHANNEL_NAMES, example: 'DISPLAY' },
  { name: 'countries', field: 'targeting', member: 'COUNTRY', cell: 'list', empty: [], example: 'PL|DE' },
  { name: 'site_ids', field: 'targeting', member: 'SITE', cell: 'list', empty: [] },
  { name: 'ad_unit_ids', field: 'targeting', member: 'AD_UNIT', cell: 'list', empty: [] },
  {
    name: 'formats',
    field: 'formats',
    cell: 'json',
    empty: [],
    example: '[{"format":"IMAGE","sizes":[{"width":300,"height":250}]}]',
  },
  {
    name: 'buyer_dimensions',
    field: 'buyerDimensions',
    cell: 'list',
    empty: [],
    choices: DIMENSION_NAMES,
    example: 'COUNTRY|DEVICE_TYPE',
  },
  {
    name: 'price_options',
    field: 'priceOptions',
    cell: 'json',
    empty: [],
    example: '[{"id":"cpm","pricingModel":"CPM","price":"12.5"}]',
  },
  { name: 'minimum_spend', field: 'minimumSpend', cell: 'decimal', empty: null, example: '500' },
  { name: 'minimum_days', field: 'minimumDays', cell: 'integer', empty: null, example: '3' },
  { name: 'maximum_days', field: 'maximumDays', cell: 'integer', empty: null },
  { name: 'lead_time_hours', field: 'leadTimeHours', cell: 'integer', example: '24' },
  { name: 'cancellation_notice_days', field: 'cancellationNoticeDays', cell: 'integer' },
  { name: 'measurement', field: 'measurement', cell: 'json', empty: null, example: '{"countedBy":"PUBLISHER"}' },
  { name: 'creative_policy', field: 'creativePolicy', cell: 'json', empty: null },
  { name: 'offered_to_buyers', field: 'offeredToBuyers', cell: 'flag', example: 'true' },
  { name: 'offered_advertiser_ids', field: 'offeredAdvertiserIds', cell: 'list', empty: [] },
];
