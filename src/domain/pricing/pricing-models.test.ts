import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COUNTED_EVENTS, PRICING, PRICING_MODELS } from './pricing-models.ts';

test('the documentation lists every pricing model with the facts of its row', () => {
  const docs = readFileSync(new URL('../../../docs/budgets.md', import.meta.url), 'utf8');
  const expected = PRICING_MODELS.map((model) => {
    const { event, unit, hold, price } = PRICING[model];
    const prior = event === null ? null : COUNTED_EVENTS[event].prior;
    const rate = prior === null ? '–' : `${prior.rate * 100} % (${prior.weight.toLocaleString('en')})`;
    return `| ${model} | ${event ?? '–'} | ${unit} | ${price} | ${hold ?? '–'} | ${rate} |`;
  });
  expect(docs.split('\n').filter((line) => /^\| [A-Z]+ \|/.test(line))).toEqual(expected);
});

test('a token finds each pricing model at the position that it had when the token was made', () => {
  expect(PRICING_MODELS.slice(0, 6)).toEqual(['CPM', 'VCPM', 'CPC', 'CPA', 'FLAT', 'CPCV']);
});
