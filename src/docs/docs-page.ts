import type { Json, OpenApi } from './openapi.ts';

const STYLE =
  ':root{color-scheme:light dark;--line:#8885;--soft:#8881;--accent:light-dark(#0b5394,#8ab4f8)}*{box-sizing:border-box}' +
  'body{font:16px/1.55 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:17rem minmax(0,1fr)}' +
  'nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 1rem;border-right:1px solid var(--line);font-size:.875rem}' +
  'nav h2{font-size:.75rem;text-transform:uppercase;letter-spacing:.06em;margin:1.2rem 0 .3rem;opacity:.7}nav ul{list-style:none;margin:0;padding:0}' +
  'nav a{display:block;padding:.15rem 0;text-decoration:none;color:inherit;overflow-wrap:anywhere}nav a:hover{text-decoration:underline}' +
  'main{padding:2rem;max-width:60rem}a{color:var(--accent)}h1{margin-top:0}section>h2{margin-top:3rem;border-bottom:1px solid var(--line)}' +
  'article{margin:1.5rem 0;padding:1rem 1.25rem;border:1px solid var(--line);border-radius:.5rem}article h3{margin:0 0 .5rem;font-size:1.05rem;overflow-wrap:anywhere}' +
  'code,pre{font:.875em/1.5 ui-monospace,monospace}pre{overflow:auto;padding:.75rem;background:var(--soft);border-radius:.375rem}' +
  'b.m{display:inline-block;min-width:3.2rem;color:var(--accent)}table{border-collapse:collapse;width:100%;font-size:.9rem}' +
  'th,td{text-align:left;vertical-align:top;padding:.35rem .6rem .35rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}th{width:9rem;font-weight:600}' +
  'details{margin-top:.75rem}summary{cursor:pointer}.old{opacity:.75}' +
  '@media(max-width:52rem){body{display:block}nav{position:static;height:40vh;border:0;border-bottom:1px solid var(--line)}main{padding:1rem}}';

/** The policy of the page: its own style, and nothing else at all. */
export const DOCS_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
  readonly servers: readonly Json[];
}

/** The API description as one HTML page: no script, nothing from elsewhere, readable without style. */
export function renderDocsPage(description: OpenApi): string {
  const all = listOperations(description);
  const sections = description.tags.map(({ name, description: about }) => ({
    name,
    about,
    operations: all.filter(({ operation }) => (operation['tags'] as string[])[0] === name),
  }));
  const links = sections.map(({ name, operations }) => {
    const items = operations.map(
      (one) => `<li><a href="#${idOf(one)}">${escape(one.method.toUpperCase())} ${escape(one.path)}</a></li>`,
    );
    return `<h2>${escape(name)}</h2><ul>${items.join('')}</ul>`;
  });
  const schemas = Object.entries(description.components.schemas).map(([name, schema]) => renderSchema(name, schema));
  const bodies = sections.map(
    ({ name, about, operations }) =>
      `<section><h2>${escape(name)}</h2><p>${escape(about)}</p>${operations.map(renderOperation).join('')}</section>`,
  );
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>Placard API</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body>` +
    `<nav aria-label="Addresses"><strong>Placard API</strong>${links.join('')}<h2>More</h2><ul><li><a href="#schemas">Schemas</a></li>` +
    `<li><a href="/openapi.json">openapi.json</a></li></ul></nav>` +
    `<main><h1>Placard API <small>${escape(description.info.version)}</small></h1><p>${escape(description.info.description)}</p>${bodies.join('')}` +
    `<section id="schemas"><h2>Schemas</h2>${schemas.join('')}</section></main></body></html>`
  );
}

function listOperations({ paths }: OpenApi): Described[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    ['get', 'post'].flatMap((method) => {
      const operation = item[method] as Json | undefined;
      return operation === undefined ? [] : [{ method, path, operation, servers: item['servers'] as Json[] }];
    }),
  );
}

function renderOperation(one: Described): string {
  const { operation, path, method, servers } = one;
  const rows = [
    ['At', servers.map((server) => `<code>${escape(String(server['url']))}</code>`).join('<br>')],
    ['Opens with', openingOf(operation['security'] as Json[])],
    ...((operation['parameters'] ?? []) as Json[]).map((parameter) => [
      `<code>${parameter['in'] === 'query' ? '?' : ''}${escape(String(parameter['name']))}</code>`,
      `${escape(String(parameter['description']))}${parameter['required'] === true ? ' Required.' : ''}`,
    ]),
    ...(operation['requestBody'] === undefined ? [] : [['Body', contentOf(operation['requestBody'] as Json)]]),
    ...Object.entries(operation['responses'] as Readonly<Record<string, Json>>).map(([status, response]) => [
      status,
      `${escape(String(response['description']))} ${contentOf(response)}`,
    ]),
  ];
  const cells = rows.map(([name, value]) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`);
  const old = operation['deprecated'] === true ? ' <em class="old">deprecated</em>' : '';
  return (
    `<article id="${idOf(one)}"><h3><b class="m">${escape(method.toUpperCase())}</b> <code>${escape(path)}</code>${old}</h3>` +
    `<p>${escape(String(operation['summary']))} ${escape(textIn(operation, 'description'))}</p><table>${cells.join('')}</table></article>`
  );
}

function openingOf(security: readonly Json[]): string {
  const names = security.map((one) => ('bearerKey' in one ? 'API key (Authorization: Bearer)' : 'header credentials'));
  return names.length === 0 ? 'nothing' : names.join(', or ');
}

/** What a body is: a link to its schema, or its media type. */
function contentOf(part: Json): string {
  return Object.entries((part['content'] ?? {}) as Readonly<Record<string, { schema: Json }>>)
    .map(([type, { schema }]) => {
      const refs = [schema, ...((schema['anyOf'] ?? []) as Json[])].flatMap((one) =>
        typeof one['$ref'] === 'string' ? [one['$ref']] : [],
      );
      const names = refs.map((ref) => ref.replace(/^.*\//, ''));
      return names.length === 0
        ? `<code>${escape(type)}</code>`
        : names.map((name) => `<a href="#schema-${escape(name)}">${escape(name)}</a>`).join(' or ');
    })
    .join(', ');
}

function renderSchema(name: string, schema: Json): string {
  const text = escape(JSON.stringify(schema, null, 2));
  return `<article id="schema-${escape(name)}"><h3>${escape(name)}</h3><p>${escape(textIn(schema, 'description'))}</p><details><summary>JSON Schema</summary><pre>${text}</pre></details></article>`;
}

function textIn(part: Json, name: string): string {
  const value = part[name];
  return typeof value === 'string' ? value : '';
}

function idOf({ operation }: Described): string {
  return escape(String(operation['operationId']));
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
