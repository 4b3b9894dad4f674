import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';

/** Routes for the console, pages by a link, files of ads, the demo page and nodes of the same program alone: they are not a public API. */
const OWN = [
  /^\/(?:sign-in|invitation|forgot-password|reset-password|confirm-address|lens|dashboards|settings|desk)?(?:\/\*)?$/,
  /^\/(?:auth|console|console-api|demo|docs|html5|nodes|preview|shared)(?:\/|$)/,
];
const OWN_FILES = ['/assets/*', '/favicon.svg', '/openapi.json', '/graphql/explorer.js', '/graphql/explorer.css'];

let server: LeanPlacard;
beforeAll(async () => {
  server = await startLeanPlacard({ PLACARD_LOG_LEVEL: 'debug' });
}, 120_000);
afterAll(async () => {
  await server.remove();
});

interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

test('every route of the servers is in the description or belongs to the console', () => {
  const { paths } = JSON.parse(
    readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8'),
  ) as Documented;
  const described = new Set(
    Object.entries(paths).flatMap(([path, item]) =>
      ['get', 'post']
        .filter((method) => item[method] !== undefined)
        .map((method) => `${method.toUpperCase()} ${shapeOf(path)}`),
    ),
  );
  const routes = server
    .output()
    .split('\n')
    .filter((line) => /"event":"http\.(?:core|delivery)_route"/.test(line))
    .map((line) => (JSON.parse(line) as { route: string }).route);
  expect(routes.length).toBeGreaterThan(50);
  const own = (path: string): boolean => OWN.some((pattern) => pattern.test(path)) || OWN_FILES.includes(path);
  const missing = routes
    .map((route) => route.replace(' /staging/', ' /'))
    .filter((route) => !route.startsWith('HEAD ') && !own(route.replace(/^\w+ /, '')))
    .filter((route) => !described.has(`${route.replace(/ .*/, '')} ${shapeOf(route.replace(/^\w+ /, ''))}`));
  expect(missing).toEqual([]);
});

/** A route stays the same with other names of parameters, with a click's address behind its token, and with a closing slash. */
function shapeOf(path: string): string {
  return path
    .replace(/\/\*target$/, '')
    .replace(/\{\w+\}|:\w+/g, ':')
    .replace(/(?<=.)\/$/, '');
}
