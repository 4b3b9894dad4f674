import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { NetworkSettings } from '../api/account/settings.ts';
import { LimitsForm, limitsBelowUse } from './limits-form.tsx';

const SETTINGS: NetworkSettings = {
  id: '1000',
  name: 'Demo',
  status: 'ACTIVE',
  timezone: 'UTC',
  approvalRequired: false,
  goalCompetition: 'BIDS',
  exchangeRates: [],
  currency: 'USD',
  floor: '0',
  version: 1,
  limits: { management: null, reports: 900, events: null, ads: 50 },
  limitCeilings: { management: 25_000, reports: 1_234, events: 50_000_000, ads: 777 },
};

test('limits form shows the ceiling of the operator beside each limit', () => {
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <LimitsForm settings={SETTINGS} scope={{ networkId: '1000', environment: 'production' }} />
      </MantineProvider>
    </QueryClientProvider>,
  );
  expect(html).toContain('A day; ceiling: 25,000');
  expect(html).toContain('A day; ceiling: 1,234');
  expect(html).toContain('A day; ceiling: 50,000,000');
  expect(html).toContain('A second; ceiling: 777');
  expect(html).toContain('value="900"');
  expect(html).toContain('value="50"');
});

test('limits that today has used up are found before they are saved, rates are not', () => {
  const resetsAt = '2026-11-24T00:00:00Z';
  const uses = [
    { name: 'reports', limit: 900, used: 812, resetsAt },
    { name: 'events', limit: 900, used: 10, resetsAt },
    { name: 'ads', limit: 50, used: null, resetsAt: null },
  ] as const;
  const find = (limits: Partial<NetworkSettings['limits']>) =>
    limitsBelowUse({ ...SETTINGS.limits, ...limits }, uses).map(({ name }) => name);
  expect(find({})).toEqual([]);
  expect(find({ reports: 1 })).toEqual(['reports']);
  expect(find({ reports: 812, events: 10 })).toEqual(['reports', 'events']);
  expect(find({ reports: null, events: null, ads: 1 })).toEqual([]);
});
