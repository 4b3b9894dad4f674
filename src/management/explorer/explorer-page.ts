import { randomBytes } from 'node:crypto';

/** A page and the headers that it must be sent with. */
export interface ExplorerPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const STYLE = `
  :root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
  body { margin: 0; display: grid; grid-template-columns: 1fr 1fr 22rem; height: 100vh; }
  section { display: flex; flex-direction: column; min-width: 0; padding: 0.75rem; gap: 0.5rem; }
  section + section { border-left: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
  textarea, pre, input { font: 13px/1.5 ui-monospace, monospace; box-sizing: border-box; width: 100%; }
  textarea { flex: 3; resize: none; } #variables { flex: 1; } pre { flex: 1; overflow: auto; margin: 0; }
  #docs { overflow: auto; flex: 1; } dt { font-family: ui-monospace, monospace; overflow-wrap: anywhere; } dd { margin: 0 0 0.5rem 1rem; opacity: 0.8; }
  h1 { font-size: 1rem; margin: 0; } button { align-self: start; }`;

const SCRIPT = `
  const byId = (id) => document.getElementById(id);
  const ask = async (query, variables) => {
    const headers = { 'content-type': 'application/json', 'x-placard-network': document.body.dataset.network };
    return (await fetch(location.pathname, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })).json();
  };
  const run = async () => {
    byId('status').textContent = 'Running …';
    try {
      const text = byId('variables').value.trim();
      const startedMs = performance.now();
      const answer = await ask(byId('query').value, text === '' ? undefined : JSON.parse(text));
      byId('answer').textContent = JSON.stringify(answer, null, 2);
      byId('status').textContent = Math.round(performance.now() - startedMs) + ' ms';
    } catch (error) {
      byId('status').textContent = String(error.message);
    }
  };
  const typeName = (type) => (type.kind === 'NON_NULL' ? typeName(type.ofType) + '!' : type.kind === 'LIST' ? '[' + typeName(type.ofType) + ']' : type.name);
  const entries = [];
  const show = () => {
    const wanted = byId('search').value.toLowerCase();
    const list = document.createElement('dl');
    for (const [name, description] of entries.filter(([name]) => name.toLowerCase().includes(wanted)).slice(0, 200)) {
      list.append(Object.assign(document.createElement('dt'), { textContent: name }), Object.assign(document.createElement('dd'), { textContent: description }));
    }
    byId('docs').replaceChildren(list);
  };
  const load = async () => {
    const type = 'kind name ofType { kind name ofType { kind name ofType { kind name } } }';
    const { data } = await ask('{ __schema { types { name description fields { name description args { name type { ' + type + ' } } type { ' + type + ' } } inputFields { name description type { ' + type + ' } } enumValues { name description } } } }');
    for (const each of data.__schema.types.filter(({ name }) => !name.startsWith('__'))) {
      entries.push([each.name, each.description ?? '']);
      for (const field of [...(each.fields ?? []), ...(each.inputFields ?? [])]) {
        const args = (field.args ?? []).map((argument) => argument.name + ': ' + typeName(argument.type)).join(', ');
        entries.push([each.name + '.' + field.name + (args === '' ? '' : '(' + args + ')') + ': ' + typeName(field.type), field.description ?? '']);
      }
      for (const value of each.enumValues ?? []) entries.push([each.name + '.' + value.name, value.description ?? '']);
    }
    show();
  };
  byId('run').addEventListener('click', run);
  byId('search').addEventListener('input', show);
  addEventListener('keydown', (event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run(); });
  load();`;

/**
 * A page to try the management API on: a query, its variables, its answer, and every description of the schema to search in. It loads
 * nothing from elsewhere, and works with the session of whoever opened it.
 */
export function renderExplorer(networkId: string): ExplorerPage {
  const nonce = randomBytes(16).toString('base64');
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Placard GraphQL</title><style nonce="${nonce}">${STYLE}</style></head>
<body data-network="${networkId.replace(/\D/g, '')}">
<section><h1><label for="query">Query</label></h1>
<textarea id="query" spellcheck="false">{
  campaigns(first: 10, filter: { statuses: [ACTIVE] }) {
    totalCount
    nodes { id name advertiser { name } delivery { lifetime { impressions clicks spend } } }
  }
}</textarea>
<label for="variables">Variables (JSON)</label><textarea id="variables" spellcheck="false"></textarea>
<button id="run" type="button">Run (Ctrl+Enter)</button></section>
<section><h1>Answer <small id="status" role="status"></small></h1><pre id="answer" tabindex="0" aria-label="Answer"></pre></section>
<section><h1><label for="search">Schema</label></h1><input id="search" type="search" placeholder="campaign"><div id="docs" tabindex="0" aria-label="Schema"></div></section>
<script nonce="${nonce}">${SCRIPT}</script></body></html>`;
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
  };
}
