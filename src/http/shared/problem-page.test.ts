import { describe, expect, test } from 'vitest';
import { PlacardError } from '../../domain/errors.ts';
import { toProblem } from './problem.ts';
import { problemPage, isShownToPerson } from './problem-page.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const asked = { method: 'GET', accept: BROWSER, acceptLanguage: 'en-GB', destination: 'document' };

describe('a failure that a person sees', () => {
  test.each([
    ['GET', BROWSER, 'document', true],
    ['POST', BROWSER, 'document', false],
    ['GET', '*/*', 'document', false],
    // A frame of a page, a script's request, and Java's own client.
    ['GET', BROWSER, 'iframe', false],
    ['GET', BROWSER, 'empty', false],
    ['GET', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', undefined, false],
    ['GET', undefined, undefined, false],
  ])('%s with Accept %s for a %s is shown as a page: %s', (method, accept, destination, isPage) => {
    expect(isShownToPerson({ method, accept, destination, acceptLanguage: undefined })).toBe(isPage);
  });

  test('the page names the failure in the language of the person, as text, without script', () => {
    const problem = toProblem(new PlacardError('not_found', 'No <script>alert(1)</script> "here"'), 'r1');
    for (const [acceptLanguage, title] of [
      ['en', 'There is nothing here'],
      ['pl-PL,en;q=0.5', 'Tu nic nie ma'],
      ['de', 'Hier ist nichts'],
    ] as const) {
      const { body, headers } = problemPage(problem, { ...asked, acceptLanguage }, '/sign-in');
      expect(body).toContain(`<h1>${title}</h1>`);
      expect(body).toContain('404 not_found: No &lt;script&gt;alert(1)&lt;/script&gt; &quot;here&quot;');
      expect(body).not.toContain('<script');
      expect(body).not.toContain('/sign-in');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['vary']).toBe('Accept, Accept-Language, Sec-Fetch-Dest');
    }
  });

  test('a person who is not signed in gets a link to sign in, where that is possible', () => {
    const problem = toProblem(new PlacardError('authentication_required'), 'r1');
    expect(problemPage(problem, asked, '/sign-in').body).toContain('<a href="/sign-in">Sign in</a>');
    expect(problemPage(problem, asked, null).body).not.toContain('href');
  });
});
