import { randomBytes } from 'node:crypto';
import { openExplorerFiles } from './explorer-files.ts';

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
 * GraphiQL on the management API: a small page that loads script and styles from this server (once; browsers cache them), runs only its own
 * script, talks to this server only, and uses the session of the member who opened it.
 *
 * @param path where the page and the API are: `/graphql` or `/staging/graphql`
 */
export async function renderExplorer(networkId: string, path: string): Promise<ExplorerPage> {
  const { script, style } = await openExplorerFiles();
  const nonce = randomBytes(16).toString('base64');
  const network = networkId.replace(/\D/g, '');
  const options = {
    title: `Placard GraphQL, network ${network}`,
    endpoint: path,
    credentials: 'same-origin',
    additionalHeaders: { 'x-placard-network': network },
    isHeadersEditorEnabled: false,
    defaultQuery: FIRST_QUERY,
  };
  return {
    html:
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${options.title}</title><link rel="icon" href="/favicon.svg">` +
      `<link rel="stylesheet" href="${style.address}"></head><body id="body" class="no-focus-outline"><div id="root"></div>` +
      `<script nonce="${nonce}" src="${script.address}"></script>` +
      `<script nonce="${nonce}">YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), ${JSON.stringify(options).replaceAll('<', '\\u003c')});</script></body></html>`,
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
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
