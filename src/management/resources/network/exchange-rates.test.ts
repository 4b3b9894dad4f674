import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listNetworkRates, removeNetworkRates, setNetworkRate } from '../../../access/permissions/network-rates.sql.ts';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
});
afterAll(() => api.close());
beforeEach(() => api.data(SET, { input: { exchangeRates: null, currency: 'EUR' } }));

const SET =
  'mutation ($input: UpdateNetworkInput!) { updateNetwork(input: $input) { exchangeRates { currency rate from } } }';
const READ = '{ network(id: 1000) { exchangeRates { currency rate from } } }';
const usd = { currency: 'USD', rate: '0.92', from: '2026-11-01' };
const later = { ...usd, rate: '0.93', from: '2026-12-01' };
const gbp = { currency: 'GBP', rate: '1.15', from: '2026-01-01' };

describe('exchange rates by the API', () => {
  test('rates are replaced as a whole, listed by currency and day, kept by other changes, and audited', async () => {
    await api.data(SET, { input: { exchangeRates: [later, gbp, usd] } });
    await api.data(SET, { input: { name: 'Kept' } });
    expect(await api.data(READ)).toEqual({ network: { exchangeRates: [gbp, usd, later] } });
    await api.data(SET, { input: { exchangeRates: [gbp] } });
    expect(await api.data(READ)).toEqual({ network: { exchangeRates: [gbp] } });
    const log = await api.data<{ auditLog: { nodes: { details: object }[] } }>(
      '{ auditLog(first: 1, filter: {action: "network.update"}) { nodes { details } } }',
    );
    expect(log.auditLog.nodes[0]?.details).toMatchObject({
      before: { exchangeRates: [gbp, usd, later] },
      after: { exchangeRates: [gbp] },
    });
  });

  test.each([
    ['an unknown currency', [{ ...usd, currency: 'usd' }], '0.currency', 'unknown'],
    ["the network's own currency", [gbp, { ...usd, currency: 'EUR' }], '1.currency', 'not_allowed'],
    ['a rate of 0', [{ ...usd, rate: '0' }], '0.rate', 'malformed'],
    ['a negative rate', [{ ...usd, rate: '-1' }], '0.rate', 'malformed'],
    ['a day that is none', [{ ...usd, from: '2026-02-29' }], '0.from', 'malformed'],
    ['two rates of a currency on one day', [usd, { ...usd, rate: '1' }], '1.from', 'duplicate'],
  ])('%s is refused by its path', async (_title, exchangeRates, path, code) => {
    const refused = await api.ask(SET, { variables: { input: { exchangeRates } } });
    expect(refused.body.errors?.[0]?.extensions['fields']).toMatchObject([
      { path: `input.exchangeRates.${path}`, code },
    ]);
    expect(await api.data(READ)).toEqual({ network: { exchangeRates: [] } });
  });

  test('more than 400 rates are refused', async () => {
    const day = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);
    const exchangeRates = Array.from({ length: 401 }, (_none, at) => ({ ...usd, from: day(at) }));
    const refused = await api.ask(SET, { variables: { input: { exchangeRates } } });
    expect(refused.body.errors?.[0]?.extensions['fields']).toMatchObject([
      { path: 'input.exchangeRates', code: 'too_many' },
    ]);
    const accepted = await api.ask(SET, { variables: { input: { exchangeRates: exchangeRates.slice(1) } } });
    expect(accepted.body.errors).toBeUndefined();
  });

  test('another currency of the network needs rates in that currency, or none', async () => {
    await api.data(SET, { input: { exchangeRates: [gbp] } });
    const refused = await api.ask(SET, { variables: { input: { currency: 'PLN' } } });
    expect(refused.body.errors?.[0]?.extensions['fields']).toMatchObject([
      { path: 'input.exchangeRates', code: 'required' },
    ]);
    await api.data(SET, { input: { currency: 'PLN', exchangeRates: [{ ...gbp, currency: 'EUR' }] } });
    expect(await api.data(READ)).toEqual({ network: { exchangeRates: [{ ...gbp, currency: 'EUR' }] } });
  });
});

describe('exchange rates by the operator', () => {
  const by = { actor: 'operator:test', remoteAddress: '', networkId: '0', workspaceId: null };
  const set = (rate: typeof usd, networkId = '1000') => setNetworkRate(api.database.db, { networkId, rate, by });
  const remove = (currency: string, from: string | null = null) =>
    removeNetworkRates(api.database.db, { networkId: '1000', currency, from, by });
  const list = async () => (await listNetworkRates(api.database.db, '1000')).rates;
  const audited = async () =>
    (
      await api.data<{ auditLog: { totalCount: number; nodes: { details: object }[] } }>(
        '{ auditLog(first: 1, filter: {actor: "operator:test"}) { totalCount nodes { details } } }',
      )
    ).auditLog;

  test('a rate of the same currency and day is replaced, and others stay', async () => {
    await set(later);
    await set(usd);
    expect((await set({ ...usd, rate: '0.5' })).rates).toEqual([{ ...usd, rate: '0.5' }, later]);
    expect(await api.data(READ)).toEqual({ network: { exchangeRates: [{ ...usd, rate: '0.5' }, later] } });
    const { totalCount, nodes } = await audited();
    expect([totalCount, nodes[0]?.details]).toEqual([
      3,
      { before: { exchangeRates: [usd, later] }, after: { exchangeRates: [{ ...usd, rate: '0.5' }, later] } },
    ]);
    await set(later);
    expect((await audited()).totalCount).toBe(3);
  });

  test('the rate of one day is removed, or all of a currency, and other settings stay', async () => {
    await api.data('mutation { updateNetwork(input: {languages: ["pl"]}) { id } }');
    for (const rate of [usd, later, gbp]) await set(rate);
    expect((await remove('USD', '2026-11-01')).rates).toEqual([gbp, later]);
    expect((await remove('USD')).rates).toEqual([gbp]);
    expect((await remove('GBP')).rates).toEqual([]);
    expect(await list()).toEqual([]);
    expect(await api.data('{ network(id: 1000) { languages } }')).toEqual({ network: { languages: ['pl'] } });
  });

  test('a rate that is wrong, or that is not there, is refused and changes nothing', async () => {
    await set(usd);
    for (const wrong of [
      { ...usd, currency: 'EUR' },
      { ...usd, rate: 'x' },
      { ...usd, from: 'today' },
    ])
      await expect(set(wrong)).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(remove('GBP')).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(remove('USD', '2026-11-02')).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(set(usd, '4711')).rejects.toMatchObject({ code: 'unknown_network' });
    expect(await list()).toEqual([usd]);
  });
});
