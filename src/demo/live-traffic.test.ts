import { expect, test } from 'vitest';
import { LiveTraffic, pauseBetweenViews, type SendRequest } from './live-traffic.ts';

const NOW_MS = Date.parse('2026-11-25T18:00:00Z');

/** Draws that are always the same. */
function trafficOf(response: unknown, draw = 0): { traffic: LiveTraffic; paths: string[]; bodies: string[] } {
  const [paths, bodies]: [string[], string[]] = [[], []];
  const send: SendRequest = async (path, { body }) => {
    paths.push(path);
    if (body !== undefined) bodies.push(body);
    return body === undefined ? null : response;
  };
  return { traffic: new LiveTraffic({ send, nowMs: () => NOW_MS, random: () => draw }), paths, bodies };
}

test('a view of the live traffic asks for an ad, and reports its impression, measurability, sight and click', async () => {
  const link = 'https://ads.example:8444/1000/imp/abc';
  const { traffic, paths, bodies } = trafficOf({ seatbid: [{ bid: [{ ext: { ems_link: link } }] }] });
  await traffic.viewPage();
  expect(paths).toEqual(['/1000/bid', '/1000/imp/abc', '/1000/measurable/abc', '/1000/view/abc', '/1000/click/abc']);
  expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
    imp: [{ tagid: 'home/top' }],
    device: { geo: { country: 'POL' } },
    user: { ext: { ids: { lu: 'demo-user-0' } } },
  });
});

test('a view without an ad reports nothing', async () => {
  const { traffic, paths } = trafficOf(null);
  await traffic.viewPage();
  expect(paths).toEqual(['/1000/bid']);
});

test('views follow the hours of the day, and stay below two a second', () => {
  const night = pauseBetweenViews(Date.parse('2026-11-25T02:30:00Z'), 0.5);
  const evening = pauseBetweenViews(Date.parse('2026-11-25T19:30:00Z'), 0.5);
  expect(night).toBeGreaterThan(10 * evening);
  const ofMean = evening / Math.log(2);
  expect(ofMean).toBeGreaterThan(500);
});

test('live traffic that is stopped sends nothing more', async () => {
  const { traffic, paths } = trafficOf(null, 0.999999);
  traffic.start();
  await traffic.stop();
  expect(paths).toEqual([]);
});
