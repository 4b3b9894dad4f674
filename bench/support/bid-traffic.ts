import { BENCH_NETWORK_ID, DISTRICT } from './bench-network.ts';
import { FRESH_ID } from './fresh-id.ts';

/** Headers that a browser sends with a bid request. */
export const BID_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};

/**
 * 64 bid requests of pages with one banner, all over the network; one out of four asks for a size that no creative has. Their ids hold
 * `FRESH_ID`.
 */
export function bidBodies(lineItems = DISTRICT): string[] {
  const districts = Math.max(1, Math.floor(lineItems / DISTRICT));
  return Array.from({ length: 64 }, (_, index) =>
    bidBody(
      index,
      (index * 7) % districts,
      index % 4 === 3
        ? [{ w: 13, h: 17 }]
        : [
            { w: 300, h: 250 },
            { w: 300, h: 600 },
          ],
    ),
  );
}

function bidBody(index: number, district: number, format: readonly { w: number; h: number }[]): string {
  return JSON.stringify({
    id: `bench-${index}-${FRESH_ID}`,
    imp: [{ id: '1', tagid: `unit-${district * 20 + (index % 20)}`, secure: 1, banner: { format }, ext: { pos: '1' } }],
    site: {
      id: `site-${district * 4 + (index % 4)}`,
      domain: 'bench.example',
      page: `https://www.bench.example/article/${index}`,
      ref: 'https://search.example/',
      ext: { area: 'news', kwrd: 'coffee+travel+bikes' },
    },
    user: { ext: { npa: false, ids: { lu: `user-${index}` } } },
    regs: { gdpr: 0, ext: { dsa: 1 } },
    ext: { network: BENCH_NETWORK_ID, keyvalues: { kvsection: 'news', kvage: '30' } },
    at: 1,
    tmax: 500,
  });
}
