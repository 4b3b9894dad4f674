import { expect, test } from 'vitest';
import { REPORTS_MODEL } from '../../../src/reports/model/campaign-overview.olap.ts';
import { EN_MEMBERS } from './en/members.ts';

// A translation without a text that the English file has does not compile.
test('every member of the reports has its title and its meaning in the texts, word by word', () => {
  const members = REPORTS_MODEL.cubes.flatMap(({ measures, dimensions }) => [
    ...Object.entries(measures),
    ...Object.entries(dimensions),
  ]);
  const texts = members.flatMap(([name, { title, description }]) => [
    [`member.${name}`, title],
    [`member_text.${name}`, description],
  ]);
  expect(EN_MEMBERS).toEqual(Object.fromEntries(texts));
});
