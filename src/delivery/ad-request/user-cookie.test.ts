import { expect, test } from 'vitest';
import { resolvePrivacy } from './privacy.ts';
import { recogniseUser, type UserSignals } from './user-cookie.ts';

const id = 'AAAAAAAAAAAAAAAAAAAAAA';
const cookie = `a=b; __Host-placard-user-7=${id}; c=d`;
const browser = { origin: 'https://www.publisher.example' };
const nobody = { lu: '', aid: '', hh: '' };
const asked = (change: Partial<UserSignals>): ReturnType<typeof recogniseUser> =>
  recogniseUser({
    userIds: nobody,
    signals: { gdpr: 0 },
    verdict: { npa: false },
    headers: browser,
    workspaceId: 7,
    ...change,
  });

test('a browser that may be recognised gets an id that it returns only from third-party pages to this host', () => {
  const { userIds, setCookie } = asked({});
  expect(userIds).toEqual(nobody);
  expect(setCookie).toMatch(
    /^__Host-placard-user-7=[\w-]{22}; Path=\/; Max-Age=15552000; HttpOnly; Secure; SameSite=None; Partitioned$/,
  );
  expect(asked({}).setCookie).not.toBe(setCookie);
});

test('a returning id names the user', () => {
  expect(asked({ headers: { ...browser, cookie } })).toEqual({ userIds: { lu: id, aid: '', hh: '' }, setCookie: null });
});

test.each<[string, Partial<UserSignals>]>([
  ['the page knows the user', { userIds: { lu: 'theirs', aid: '', hh: '' } }],
  ['the page knows the account', { userIds: { lu: '', aid: 'theirs', hh: '' } }],
  ['the request does not mention GDPR', { signals: { gdpr: null } }],
  ['the caller is a server', { headers: { cookie } }],
])('no cookie is read or set where %s', (_title, change) => {
  const headers = change.headers ?? { ...browser, cookie };
  expect(asked({ ...change, headers })).toEqual({ userIds: change.userIds ?? nobody, setCookie: null });
});

test.each<[string, Partial<UserSignals>]>([
  ['personalisation is off', { verdict: { npa: true } }],
  ['the browser sends an opt-out', { headers: { ...browser, 'sec-gpc': '1' } }],
])('a cookie is deleted unread where %s', (_title, change) => {
  const without = asked(change);
  expect(without).toEqual({ userIds: nobody, setCookie: null });
  const { userIds, setCookie } = asked({ ...change, headers: { ...browser, ...change.headers, cookie } });
  expect(userIds).toEqual(nobody);
  expect(setCookie).toMatch(/^__Host-placard-user-7=; Path=\/; Max-Age=0; .*Partitioned$/);
});

test.each([
  '__Host-placard-user-7=short',
  '__Host-placard-user-70=AAAAAAAAAAAAAAAAAAAAAA',
  'x__Host-placard-user-7=AAAAAAAAAAAAAAAAAAAAAA',
  ';=;',
])('the cookie header "%s" holds no id of ours', (header) => {
  expect(asked({ headers: { ...browser, cookie: header } }).userIds).toEqual(nobody);
});

const tcf = 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA';
test.each([
  ['', null],
  ['DBAA', null],
  [tcf, null],
  [`DBACNYA~${tcf}~1YNN`, null],
  [`DBACNYA~${tcf}~1YYN`, 'us_opt_out'],
  ['DBABLA~BVQqAAAAAAJY.QA', null],
  [`DBACMMA~${tcf}~BVQqAAAAAAJY.QA`, null],
  [`DBACMMA~${tcf}~BVQqAAAAAAJY.YA`, 'us_opt_out'],
  [`DBACMMA~${tcf}~BVQq`, 'gpp_unread'],
  ['x~~y', 'gpp_unread'],
])('a request with GPP "%s" and without GDPR has personalisation off because of %s', (gpp, reason) => {
  const signals = { gdpr: 0, consent: '', gpp, usPrivacy: '', coppa: false, npa: false, trackingLimited: false };
  const verdict = resolvePrivacy(signals);
  expect(verdict.reason).toBe(reason);
  expect(asked({ signals, verdict }).setCookie === null).toBe(reason !== null);
});
