import { randomBytes } from 'node:crypto';

/** A page and the headers that it must be sent with. */
export interface ExplorerPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const FIRST_QUERY = `# Ctrl+Enter runs it, Ctrl+Space proposes fields.
{
  campaigns(first: 10, filter: { statuses: [ACTIVE] }) {
    totalCount
    nodes {
      id
      name
      advertiser { name }
      delivery { lifetime { impressions clicks spend } }
    }
  }
}
`;

/**
 * GraphiQL on the management API. It comes whole from this server (nine megabytes, loaded when first asked for), runs no script but its
 * own, talks to nobody else, and works with the session of whoever opened it.
 *
 * @param path where the page and the API are: `/graphql` or `/staging/graphql`
 */
export async function renderExplorer(networkId: string, path: string): Promise<ExplorerPage> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const nonce = randomBytes(16).toString('base64');
  const page = renderGraphiQL({
    title: `Placard GraphQL, network ${networkId.replace(/\D/g, '')}`,
    endpoint: path,
    credentials: 'same-origin',
    additionalHeaders: { 'x-placard-network': networkId.replace(/\D/g, '') },
    isHeadersEditorEnabled: false,
    defaultQuery: FIRST_QUERY,
  });
  // The page has one script element; what is inside of it stays as it is.
  const at = page.indexOf('<script>');
  if (at < 0) throw new Error('The page of GraphiQL is built otherwise than expected');
  return {
    html: `${page.slice(0, at)}<script nonce="${nonce}">${page.slice(at + '<script>'.length)}`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy(nonce),
    },
  };
}

/** The editor draws with styles of its own making, and runs its workers from memory; scripts come from the page alone. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
