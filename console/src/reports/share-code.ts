import type { CubeQuery } from './lens-query.ts';

/** Where a query is asked. */
export interface ReportsAddress {
  /** `https://host/reports/1000/v1` */
  readonly apiUrl: string;
}

/** A command that gives the same rows, for a shell. Credentials are read from the environment, never written. */
export function writeCurl({ apiUrl }: ReportsAddress, query: CubeQuery): string {
  const body = JSON.stringify({ query: withoutTotal(query) });
  return [
    `curl --fail-with-body '${apiUrl}/load' \\`,
    `  -H "x-internal-auth-login: $AD_SERVER_LOGIN" \\`,
    `  -H "x-internal-auth-token: $AD_SERVER_TOKEN" \\`,
    `  -H 'content-type: application/json' \\`,
    `  --data-raw '${body.replaceAll("'", String.raw`'\''`)}'`,
  ].join('\n');
}

/** A program for Cube's own client that gives the same rows. */
export function writeCubeClient({ apiUrl }: ReportsAddress, query: CubeQuery): string {
  return [
    `import cube from '@cubejs-client/core';`,
    '',
    `const client = cube(process.env.AD_SERVER_KEY, { apiUrl: ${JSON.stringify(apiUrl)} });`,
    `const result = await client.load(${JSON.stringify(withoutTotal(query), null, 2)});`,
    'console.table(result.tablePivot());',
    '',
  ].join('\n');
}

function withoutTotal({ total: _total, ...query }: CubeQuery): Omit<CubeQuery, 'total'> {
  return query;
}
