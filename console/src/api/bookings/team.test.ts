import { afterEach, expect, test, vi } from 'vitest';
import { loadLineItem } from './desk-object.ts';
import { approveBooking } from './team.ts';

const SCOPE = { networkId: '1000', environment: 'production' } as const;

afterEach(() => {
  vi.unstubAllGlobals();
});

test('an approval names the versions of the line item and of the campaign that the page shows', async () => {
  const sent: { query: string; variables: unknown }[] = [];
  const shown = { id: '7', version: 3, campaign: { version: 5 } };
  vi.stubGlobal('fetch', (_url: unknown, { body }: { body: string }) => {
    sent.push(JSON.parse(body) as (typeof sent)[number]);
    return Promise.resolve(Response.json({ data: { lineItem: shown } }));
  });
  const item = await loadLineItem(SCOPE, '7', new AbortController().signal);
  await approveBooking(SCOPE, item ?? { id: '', version: 0, campaign: null });
  expect(sent[0]?.query).toMatch(/campaign \{[^{}]*\bversion\b/);
  expect(sent[1]?.variables).toEqual({ id: '7', version: 3, campaignVersion: 5 });
});
