const SAYS_WHAT_DATES_ARE = 'The sentence goes on with the dates that are read.';

/** Cases of Cube that Placard handles otherwise on purpose: id → why. The runner fails when a listed case passes, too. */
export const DEPARTURES: Readonly<Record<string, string>> = {
  'normalize-031': 'A limit over 50,000 is the same sentence, with status 400 instead of 500.',
  'normalize-051': '`renewQuery` of older clients is accepted and has no effect.',
  'http-016': 'A limit over 50,000 is 400, not 500.',
  'http-029':
    'Authentication failures keep the shape of the other APIs: 401 {"error": "authentication_required", "message"}.',
  'http-030':
    'Authentication failures keep the shape of the other APIs: 401 {"error": "invalid_credentials", "message"}.',
  'http-032':
    'Authentication failures keep the shape of the other APIs: 401 {"error": "authentication_required", "message"}.',
  'filter_rows-062':
    "The sentence is PostgreSQL's own; ours says the same without its prefix, with the same status 400.",
  'rows-039':
    "The scale of the quotient is PostgreSQL's; ours has a fixed scale (6 decimals on campaign_overview, 28 on the fixture).",
  'date_parse-050': SAYS_WHAT_DATES_ARE,
  'date_parse-051': SAYS_WHAT_DATES_ARE,
  'date_parse-066': SAYS_WHAT_DATES_ARE,
  'date_parse-068': SAYS_WHAT_DATES_ARE,
  'date_parse-069': SAYS_WHAT_DATES_ARE,
  'date_parse-072': SAYS_WHAT_DATES_ARE,
  'filter_dates-035': SAYS_WHAT_DATES_ARE,
  'http-015': SAYS_WHAT_DATES_ARE,
  'resolve_range-012': 'A range that ends before it begins is a 400 that says so, instead of no rows.',
  'normalize-015': 'The sentence goes on with the operator that is unknown.',
  'http-011': 'The sentence goes on with the operator that is unknown.',
  'normalize-046': 'An empty time zone is a 400, instead of UTC.',
};
