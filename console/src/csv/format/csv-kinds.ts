/** The kinds that are written to files and read from them, by the name of their list in the API. */
export const CSV_KINDS = [
  'lineItems',
  'campaigns',
  'advertisers',
  'sites',
  'adUnits',
  'keyValues',
  'deals',
  'advertisingProducts',
  'segments',
] as const;
export type CsvKind = (typeof CSV_KINDS)[number];
