import { beforeAll, expect, test } from 'vitest';
import type { TargetingTree } from '../api/bookings/targeting.ts';
import { AREA_NAMES } from '../messages/areas.ts';
import { loadAreas } from '../messages/language.ts';
import { describeTree, idsIn } from './targeting-words.ts';

beforeAll(() => loadAreas(AREA_NAMES));

const testOf = (dimension: string, ...values: string[]): TargetingTree => ({
  test: { dimension, operator: 'IS', values },
});
const names = (kind: string, id: string): string => (kind === 'sites' ? `Site ${id}` : id);

test('a tree is told with the names of its objects, its denials and its groups', () => {
  const tree: TargetingTree = {
    all: [
      { any: [testOf('SITE', '4', '5'), testOf('COUNTRY', 'PL')] },
      { not: testOf('DEVICE_TYPE', 'tv') },
      { test: { dimension: 'KEY_VALUE', operator: 'BEGINS_WITH', key: 'topic', values: ['sport'] } },
    ],
  };
  expect(describeTree(tree, names)).toBe(
    'It runs where (site is one of Site 4 or Site 5 or country is one of Poland (PL)), not (device is one of TV), and topic begins with sport.',
  );
  expect(describeTree(null, names)).toBe('It runs everywhere, for everybody.');
});

test('many values are counted, and what was not read is said to be there', () => {
  const cities = Array.from({ length: 8 }, (_none, at) => `City ${at}`);
  expect(describeTree(testOf('CITY', ...cities), names)).toContain('City 4, or 3 more');
  expect(describeTree({ all: [{}] }, names)).toBe('It runs where further conditions.');
});

test('the objects of a tree are found at every depth, each once', () => {
  const tree = { all: [testOf('SITE', '5', '4'), { not: testOf('SITE', '4') }, { any: [testOf('AREA', '9')] }] };
  expect(idsIn(tree)).toEqual({ sites: ['4', '5'], areas: ['9'] });
});
