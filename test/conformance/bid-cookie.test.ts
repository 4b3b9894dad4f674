import { describe, expect, test } from 'vitest';
import { encodeConsent } from '../e2e/support/consent-string.ts';
import { bid, type BidResponse, bidBody, fire } from './support/server.ts';

const ORIGIN = { origin: 'https://www.magazine.example' };
const CONSENT = encodeConsent([1, 3, 4]);
const NAME = /^__Host-placard-user-\d+=/;

const cookieOf = async (over: Record<string, unknown>, headers: Record<string, string> = {}): Promise<string> => {
  const response = await bid(bidBody(over), { headers: { ...ORIGIN, ...headers } });
  expect(response.status).toBe(200);
  return String(response.headers['set-cookie'] ?? '');
};

// Conformance: B9
describe('the id that a browser keeps for us', () => {
  // Conformance: B9
  test.each([
    ['GDPR does not apply', { regs: { gdpr: 0 } }],
    ['TCF consent covers storage and personal ads', { regs: { gdpr: 1 }, user: { consent: CONSENT } }],
    ['the consent stands in user.ext', { regs: { ext: { gdpr: 1 } }, user: { ext: { consent: CONSENT } } }],
    ['the das adapter puts the TCF string in regs.gpp', { regs: { gdpr: 1, gpp: CONSENT } }],
    ['a GPP string holds that consent', { regs: { gdpr: 1, gpp: `DBABMA~${CONSENT}` } }],
  ])('the cookie is set where %s: partitioned, for third-party pages, hidden from scripts', async (_title, over) => {
    const cookie = await cookieOf(over);
    expect(cookie).toMatch(NAME);
    expect(cookie).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; Secure; SameSite=None; Partitioned$/);
    expect(cookie).not.toMatch(/Domain=/i);
  });

  // Conformance: B9
  test.each([
    ['nothing is said', {}],
    ['GDPR applies and there is no consent', { regs: { gdpr: 1 } }],
    ['consent covers storage alone', { regs: { gdpr: 1 }, user: { consent: encodeConsent([1]) } }],
    ['consent leaves storage out', { regs: { gdpr: 1 }, user: { consent: encodeConsent([3, 4]) } }],
    ['the consent cannot be read', { regs: { gdpr: 1 }, user: { consent: 'C~~~' } }],
    ['the GPP string holds no such consent', { regs: { gdpr: 1, gpp: 'DBABMA~x' } }],
    ['npa', { regs: { gdpr: 0 }, user: { ext: { npa: true } } }],
    ['COPPA', { regs: { gdpr: 0, coppa: 1 } }],
    ['a US opt-out', { regs: { gdpr: 0, us_privacy: '1YYN' } }],
    ['limited tracking', { regs: { gdpr: 0 }, device: { lmt: 1 } }],
  ])('the cookie is left unset where %s, and an incoming one is ignored', async (title, over) => {
    expect(await cookieOf(over)).toBe('');
    const kept = (await cookieOf({ regs: { gdpr: 0 } })).split(';', 1)[0] ?? '';
    const again = await cookieOf(over, { cookie: kept });
    if (title === 'nothing is said') expect(again).toBe('');
    else expect(again).toMatch(/^__Host-placard-user-\d+=; .*Max-Age=0; .*Partitioned$/);
  });

  // Conformance: B9
  test('the page’s own ids override the cookie, and servers get none', async () => {
    expect(await cookieOf({ regs: { gdpr: 0 }, user: { ext: { ids: { lu: 'first-party' } } } })).toBe('');
    const server = await bid(bidBody({ regs: { gdpr: 0 } }));
    expect(server.headers['set-cookie']).toBeUndefined();
  });

  // Conformance: B9
  test('a returning id makes the ad personal, and a newly set one does not', async () => {
    const whyOf = async (headers: Record<string, string>): Promise<string> => {
      const response = await bid(bidBody({ regs: { gdpr: 0 } }), { headers: { ...ORIGIN, ...headers } });
      return (await fire(response.json<BidResponse>().ext.dsaurl)).text;
    };
    const kept = (await cookieOf({ regs: { gdpr: 0 } })).split(';', 1)[0] ?? '';
    const personal = 'A pseudonymous identifier of your browser was available';
    expect(await whyOf({})).not.toContain(personal);
    expect(await whyOf({ cookie: kept })).toContain(personal);
  });
});
