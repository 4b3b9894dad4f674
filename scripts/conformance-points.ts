/**
 * The promises of the interface, point by point, in our own words. A test that shows a point cites it in a comment line of its own above
 * `test` or `describe`: `// Conformance: B14, B3`. `node scripts/write-conformance.ts` writes docs/conformance.md from both.
 */

export interface Chapter {
  readonly letter: string;
  readonly title: string;
  readonly points: readonly Point[];
}

/** Its id, the promise in one line, and, where no test can show all of it, what shows the rest. */
export interface Point {
  readonly id: string;
  readonly promise: string;
  readonly otherwise?: string;
}

export const chapters: readonly Chapter[] = [
  {
    letter: 'T',
    title: 'Transport and errors',
    points: [
      {
        id: 'T1',
        promise:
          'Every API uses HTTPS; a first start without a certificate makes a local authority and a server certificate.',
      },
      {
        id: 'T2',
        promise:
          'A plain HTTP request gets 403 `https_required`; behind a TLS proxy only trusted addresses may say that HTTPS was used.',
      },
      {
        id: 'T3',
        promise: 'Bodies are JSON; an error body has a stable `error` code and a `message` that says what to do.',
      },
      {
        id: 'T4',
        promise:
          'Unknown path 404, wrong method 405 with `Allow`, malformed JSON 400, oversized body 413, other content type 415.',
      },
      {
        id: 'T5',
        promise:
          'Stated limits hold: body sizes, inflated sizes, imps in a bid request, ads in an ad request, depth of JSON.',
      },
      {
        id: 'T6',
        promise: 'Server errors have JSON bodies and reveal a request id only; every response carries `X-Request-Id`.',
      },
      {
        id: 'T7',
        promise:
          'Responses worth compressing are compressed for clients that accept gzip or deflate, and plain for others.',
      },
    ],
  },
  {
    letter: 'K',
    title: 'API keys',
    points: [
      {
        id: 'K1',
        promise: 'A key has a name, a permission level, an environment, an optional expiration and a scope of modules.',
      },
      {
        id: 'K2',
        promise:
          'The value is shown once, stored as a digest, and has a prefix and a checksum that secret scanners can recognize.',
      },
      { id: 'K3', promise: 'The listing shows active keys with creation, last use (at most 60 s old) and scopes.' },
      {
        id: 'K4',
        promise: 'Read-only keys view; read-write keys also create and update; admin keys also manage people and keys.',
      },
      {
        id: 'K5',
        promise: 'The modules of a key limit what it may do; beyond them it gets `insufficient_permissions`.',
      },
      {
        id: 'K6',
        promise:
          'Revocation and expiry work within 1 s on every process; a new key or credential works from its creation on.',
      },
      {
        id: 'K7',
        promise: 'A key belongs to one network; objects of another network look absent for every id that a call takes.',
      },
      {
        id: 'K8',
        promise:
          'A missing key gets 401 `authentication_required`, a bad one 401 `invalid_credentials`, a narrow one 403.',
      },
      { id: 'K9', promise: 'A key with an IP allowlist gets 403 `ip_not_allowed` from other addresses.' },
      { id: 'K10', promise: 'Bearer APIs send no CORS headers, so a page of another origin cannot read them.' },
      { id: 'K11', promise: 'Keys are created and revoked in the settings, over GraphQL and on the command line.' },
    ],
  },
  {
    letter: 'H',
    title: 'Header credentials',
    points: [
      {
        id: 'H1',
        promise: 'One login/token pair opens the Reports API, the legacy report operations and the legacy download.',
      },
      {
        id: 'H2',
        promise: 'A missing pair gets 401 `authentication_required`, a wrong or foreign one 401 `invalid_credentials`.',
      },
      { id: 'H3', promise: 'Pairs are issued and disabled on the command line and in the settings.' },
      {
        id: 'H4',
        promise:
          'Legacy operations need the pair; the Reports API also accepts a REPORTS key or a session; two schemes at once must both be valid.',
      },
    ],
  },
  {
    letter: 'E',
    title: 'Environments',
    points: [
      {
        id: 'E1',
        promise: 'Production and staging of a network share its id and keep separate data, keys, counters and reports.',
      },
      {
        id: 'E2',
        promise: 'Staging addresses carry `/staging`; a key of the other environment gets `invalid_credentials` there.',
      },
      { id: 'E3', promise: 'A first start makes a demo network with id 1000 and campaigns of every kind.' },
    ],
  },
  {
    letter: 'L',
    title: 'Rate limits',
    points: [
      { id: 'L1', promise: 'Each API has a limit per network that the operator can set; staging counts separately.' },
      {
        id: 'L2',
        promise:
          'Every authenticated response, errors included, carries `X-RateLimit-Limit`, `-Remaining` and `-Reset`.',
      },
      {
        id: 'L3',
        promise: 'Past the limit a call gets 429 `rate_limit_exceeded` with limit, reset and `Retry-After`.',
      },
      {
        id: 'L4',
        promise: 'Limits hold across workers, nodes and restarts, and admit at least 99 % of the allowed amount.',
      },
      { id: 'L5', promise: 'Failed authentications are limited by source address and leave valid calls alone.' },
    ],
  },
  {
    letter: 'G',
    title: 'Management API',
    points: [
      { id: 'G1', promise: '`POST /graphql` follows GraphQL over HTTP; the public audit suite passes.' },
      {
        id: 'G2',
        promise:
          '`network(id)` has id, name and status; a paused network serves nothing, a suspended one also refuses changes.',
      },
      { id: 'G3', promise: 'Introspection works with a valid key of any scope, and only with one.' },
      { id: 'G4', promise: 'Every resource can be created, read, updated, archived, filtered, sorted and paged.' },
      { id: 'G5', promise: 'Authentication and permission failures have their HTTP status and both error shapes.' },
      {
        id: 'G6',
        promise:
          'Bad input changes nothing and names each field; stale versions conflict; idempotency keys return the first result.',
      },
      {
        id: 'G7',
        promise: 'Documents beyond the limits of depth, aliases, batches or cost get 400 with the limit’s name.',
      },
    ],
  },
  {
    letter: 'R',
    title: 'Legacy report tasks',
    points: [
      { id: 'R0', promise: 'The report operations work below a `report` field and on the roots.' },
      { id: 'R1', promise: '`report_defs` lists definitions, with the fields directly on each edge.' },
      { id: 'R2', promise: '`generate_report` has the published variable types and returns a task id.' },
      { id: 'R3', promise: '`report_task` has its nine fields with the published types.' },
      { id: 'R4', promise: 'A task goes from PENDING over PROCESSING to DONE or FAILED, and survives a restart.' },
      {
        id: 'R5',
        promise:
          'The attributes choose range, filters, split, metrics, granularity and time zone; unknown values get a 4xx that names them.',
      },
      {
        id: 'R6',
        promise:
          'The download is CSV or newline-delimited JSON, streamed, compressed, resumable, and opens with the pair only.',
      },
      { id: 'R7', promise: 'The operations are marked deprecated in the schema and in response headers.' },
    ],
  },
  {
    letter: 'B',
    title: 'Ad decision endpoint',
    points: [
      { id: 'B1', promise: '`POST /<network>/bid` needs no credentials and returns 200 with a bid or 204.' },
      {
        id: 'B2',
        promise: '`GET /<network>/bid?data=…` does the same with the request as URL-encoded JSON or base64url.',
      },
      {
        id: 'B3',
        promise:
          'An invalid request gets 400 `invalid_request` that names the field; unknown fields and values are tolerated.',
      },
      { id: 'B4', promise: 'A request that no ad fits gets 204 with an empty body.' },
      {
        id: 'B5',
        promise:
          'The bid is OpenRTB 2.6 with the impression tracking URL in `ext` and inside banner markup, and `ext.dsaurl`.',
      },
      {
        id: 'B6',
        promise:
          'Fetching the tracking URL records the impression; an impression that is never fetched counts nowhere.',
      },
      {
        id: 'B7',
        promise: 'The imps of a request are decided together: creatives, exclusions, caps and budgets see each other.',
      },
      { id: 'B8', promise: 'The creative fits one of the sizes of the imp; `secure` allows HTTPS markup only.' },
      { id: 'B9', promise: 'Without consent or with `npa`, segments, user frequency and user ids are left untouched.' },
      {
        id: 'B10',
        promise:
          'When the DSA requires it, the bid names who is behind the ad and who paid, or the campaign does not serve.',
      },
      {
        id: 'B11',
        promise: '`ext.dsaurl` opens a readable page in five languages that explains the ad and sets no cookie.',
      },
      {
        id: 'B12',
        promise: 'Every status carries CORS headers with credentials; OPTIONS and `text/plain` bodies work.',
      },
      { id: 'B13', promise: 'Prebid.js with its unmodified `das` adapter runs auctions, renders ads and counts them.' },
      {
        id: 'B14',
        promise:
          'A retry within 10 s gets the first response byte for byte and counts once; other requests with its id are new.',
      },
    ],
  },
  {
    letter: 'A',
    title: 'Ad request API',
    points: [
      { id: 'A1', promise: '`POST /api/v1/ads` returns at most `count` ads for a named ad unit.' },
      { id: 'A2', promise: 'A foreign network gets 403, an unknown ad unit 404, a bad count 400 with the bound.' },
      {
        id: 'A3',
        promise:
          'The request may carry site, page, keywords, key-values, user ids, consent and device, as a bid request may.',
      },
      {
        id: 'A4',
        promise: 'Each ad has its tracking URLs, content, sizes and DSA facts; the engine of the bid endpoint decides.',
      },
    ],
  },
  {
    letter: 'P',
    title: 'Activity pixel API',
    points: [
      {
        id: 'P1',
        promise: '`POST /api/v1/events` returns 202 for a new event and 200 for a repeated one, with one id.',
      },
      { id: 'P2', promise: 'An unknown activity gets 404, a bad cost 400; amounts stay exact decimals.' },
      {
        id: 'P3',
        promise:
          'An event with a user or click id is credited to the last click or impression within its window, once per order.',
      },
      { id: 'P4', promise: 'An accepted event survives the death of any process and counts exactly once.' },
    ],
  },
  {
    letter: 'Q',
    title: 'Reports API',
    points: [
      { id: 'Q1', promise: '`POST` and `GET …/load` return data in the shape that Cube clients read.' },
      {
        id: 'Q2',
        promise: 'Measures, dimensions, time dimensions, filters, granularities and time zones work as published.',
      },
      {
        id: 'Q3',
        promise: 'Rows are keyed by full member names; values are strings; a day is `YYYY-MM-DDT00:00:00.000`.',
      },
      { id: 'Q4', promise: 'A query needs a dateRange of at most 90 days; else it gets 400 with the reason.' },
      {
        id: 'Q5',
        promise: '`GET …/meta` lists every measure and dimension of the network with title and description.',
      },
      { id: 'Q6', promise: 'An unknown or malformed part of a query gets 400 that names it.' },
      {
        id: 'Q7',
        promise:
          'The first query after a start gets its data; one beyond its time gets `Continue wait`, or 504 with `Retry-After`.',
      },
      {
        id: 'Q8',
        promise: 'The published member names exist, and members for viewability, deals and advertising products.',
      },
      { id: 'Q9', promise: 'The unmodified `@cubejs-client/core` works with the Reports API as its address.' },
      { id: 'Q10', promise: 'A result says how fresh it is and has an ETag.' },
      { id: 'Q11', promise: 'A result is also available as CSV and as newline-delimited JSON.' },
    ],
  },
  {
    letter: 'S',
    title: 'Settings in the console',
    points: [
      {
        id: 'S1',
        promise: 'Settings > API Keys generates a key, shows it once, lists keys and revokes with a confirmation.',
      },
      { id: 'S2', promise: 'Settings > Audit Logs filters, pages and exports.' },
      { id: 'S3', promise: 'Settings has pages for users, report credentials and the network.' },
    ],
  },
  {
    letter: 'N',
    title: 'Reports Lens',
    points: [
      {
        id: 'N1',
        promise: 'A signed-in member chooses metrics, dimensions and dates, sees tables and charts, and exports CSV.',
      },
      { id: 'N2', promise: 'The Lens uses the Reports API and has no interface of its own for programs.' },
    ],
  },
  {
    letter: 'U',
    title: 'Audit',
    points: [
      {
        id: 'U1',
        promise:
          'Keys, authentication attempts, permissions and every management write are recorded with who, what and when.',
      },
      { id: 'U2', promise: 'The log is append-only and tamper-evident, and holds no secrets.' },
    ],
  },
  {
    letter: 'V',
    title: 'Versions and clients',
    points: [
      { id: 'V1', promise: 'Paths carry `v1` and `/api/v1` as published.' },
      { id: 'V2', promise: 'The legacy report workflow works from creation to download.' },
      {
        id: 'V3',
        promise:
          'The TypeScript client retries what may be retried, with stated waits, and waits for the reset on 429.',
      },
      { id: 'V4', promise: 'The client validates bid requests before sending them and offers a bid cache.' },
    ],
  },
];
