import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { InspectedKeyValue, Inspection } from '../api/bookings/inspection.ts';
import { RequestFacts } from './request-facts.tsx';

const value = (key: string, ...values: string[]): InspectedKeyValue => ({ key, values });
const slot = (slotId: string, keyValues: readonly InspectedKeyValue[]): Inspection['request']['slots'][number] => ({
  slotId,
  adUnitId: null,
  sizes: ['300x250'],
  mediaTypes: ['BANNER'],
  floor: null,
  keyValues,
});

test('key-values of a slot are shown where they differ from those of the page', () => {
  const page = [value('topic', 'cars'), value('section', 'home')];
  const request: Inspection['request'] = {
    pageUrl: '',
    country: 'PL',
    deviceType: '',
    os: '',
    browser: '',
    npa: false,
    hasUser: false,
    segmentIds: [],
    keyValues: page,
    slots: [slot('top', [value('topic', 'sport', 'news'), value('section', 'home')]), slot('side', page)],
  };
  const inspection = { request, bidRequest: null } as unknown as Inspection;
  const text = renderToStaticMarkup(
    <MantineProvider>
      <RequestFacts inspection={inspection} />
    </MantineProvider>,
  ).replaceAll(/<[^>]+>/g, ' ');
  expect(text).toMatch(/Key-values\s+topic=cars, section=home\s/);
  expect(text).toMatch(/Key-values of slot \W*top\W*\s+topic=sport\|news\s/);
  expect(text).not.toMatch(/Key-values of slot \W*side/);
});
