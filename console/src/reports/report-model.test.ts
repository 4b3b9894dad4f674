import { afterEach, expect, test } from 'vitest';
import { speakIn } from '../messages/language.ts';
import { readReportModel } from './read-report-model.ts';

const META = {
  cubes: [
    {
      name: 'campaign_overview',
      measures: [
        { name: 'campaign_overview.clicks', shortTitle: 'Clicks', description: 'Billable clicks, one an impression.' },
        { name: 'campaign_overview.activity_shop_1_count', shortTitle: 'Shop: count' },
      ],
      dimensions: [],
    },
  ],
};

const meanings = (): string[] => [...readReportModel(META).measures.values()].map(({ description }) => description);
const titles = (): string[] => [...readReportModel(META).measures.values()].map(({ shortTitle }) => shortTitle);

afterEach(() => speakIn('en'));

test('members have the titles and meanings of the server in English, and translated ones elsewhere; names of a network stay', async () => {
  expect(titles()).toEqual(['Clicks', 'Shop: count']);
  await speakIn('pl');
  expect(titles()).toEqual(['Kliknięcia', 'Shop: count']);
  expect(meanings()).toEqual(['Rozliczane kliknięcia, jedno na wyświetlenie.', '']);
});
