import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { NetworkSettings } from '../api/settings.ts';
import { LimitsForm } from './limits-form.tsx';

const SETTINGS: NetworkSettings = {
  id: '1000',
  name: 'Demo',
  status: 'ACTIVE',
  timezone: 'UTC',
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
