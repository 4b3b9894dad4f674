import { expect, test } from 'vitest';
import { REPORTS_MODEL } from '../../../src/reports/model/campaign-overview.olap.ts';
import { groupMembers } from './member-groups.ts';
import type { Member } from './report-model.ts';

const member = (name: string): [string, Member] => [
  name,
  {
    name,
    shortTitle: name,
    description: '',
    type: 'string',
    format: null,
    currency: null,
    drillMembers: [],
    isAdditive: false,
  },
];
const grouped = (names: readonly string[]) =>
  groupMembers(new Map(names.map((name) => member(`campaign_overview.${name}`)))).map(({ group, members }) => [
    group,
    members.map(({ name }) => name.split('.').at(-1)),
  ]);

test('members are in groups, names before ids, and members that a network defined come last', () => {
  expect(grouped(['site_id', 'key_value_topic', 'campaign_id', 'site_domain', 'campaign_name'])).toEqual([
    ['bookings', ['campaign_name', 'campaign_id']],
    ['inventory', ['site_domain', 'site_id']],
    ['own', ['key_value_topic']],
  ]);
});

test('every member of the report model but the time has a group of its own kind', () => {
  const names = REPORTS_MODEL.cubes.flatMap(({ measures, dimensions }) => [
    ...Object.keys(measures),
    ...Object.keys(dimensions).filter((name) => name !== 'time'),
  ]);
  expect(grouped(names).find(([group]) => group === 'own')).toBeUndefined();
  expect(grouped(names).flatMap(([, members]) => members)).toHaveLength(names.length);
});
