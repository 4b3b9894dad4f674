/** Cases of Cube that Placard answers otherwise on purpose: id → why. The runner fails when a listed case passes, too. */
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
};
