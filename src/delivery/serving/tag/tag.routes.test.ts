import { expect, test } from 'vitest';
import type { HttpReply, HttpRequest } from '../../../http/shared/route.ts';
import { createTagRoutes } from './tag.routes.ts';

const page = createTagRoutes('https://desk.example:8443/console').find(({ pattern }) => pattern === '/tag-page.html');

function policyOf(query: string): string | undefined {
  const reply = page?.handler({ query, headers: {} } as HttpRequest) as HttpReply;
  const policy = reply.headers?.['content-security-policy'];
  return typeof policy === 'string' ? policy : undefined;
}

test.each(['watch', 'watch=1', 'network=1000&watch=', 'w%61tch=1'])(
  'only the console may frame a tag page that tells of its request: %s',
  (query) => {
    expect(policyOf(query)).toMatch(/; frame-ancestors https:\/\/desk\.example:8443$/);
  },
);

test('any page may frame a tag page that tells nothing', () => {
  expect(policyOf('network=1000')).toContain("default-src 'none'");
  expect(policyOf('network=1000')).not.toContain('frame-ancestors');
});

test('the way to a preview leads to the core, whatever the token is', async () => {
  const routes = createTagRoutes('https://desk.example:8443/console');
  const preview = routes.find(({ pattern }) => pattern === '/preview/:token');
  const locationOf = (token: string): unknown => {
    const reply = preview?.handler({ params: { token }, query: '', headers: {} } as unknown as HttpRequest);
    return (reply as HttpReply | undefined)?.headers?.['location'];
  };
  expect(locationOf('1.creative.7.99.ab-c')).toBe(
    'https://desk.example:8443/console/preview/1.creative.7.99.ab-c?page',
  );
  expect(locationOf('//evil.example/\r\nx: y')).toBe(
    'https://desk.example:8443/console/preview/%2F%2Fevil.example%2F%0D%0Ax%3A%20y?page',
  );
});
