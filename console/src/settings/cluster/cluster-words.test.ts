import { afterEach, expect, test } from 'vitest';
import { type ClusterMarks, compareNode, type NodeMarks, twinProblem } from '../../../../src/cluster/compare-node.ts';
import { findWarnings } from '../../../../src/cluster/cluster-status.ts';
import { SHARED_FACTS } from '../../../../src/cluster/node-facts.ts';
import { CLUSTER_SECRETS } from '../../../../src/cluster/secret-table.ts';
import { loadAreas, speakIn } from '../../messages/language.ts';
import { findSaid, sayOfCluster } from './cluster-words.ts';

afterEach(() => speakIn('en'));

const cluster: ClusterMarks = {
  keyMark: 'k1',
  secrets: { pepper: { '1': 'p1' }, 'link-keys': { a: 'l1', b: 'l2' } },
  facts: { 'hot store': 'Redis one', 'hot store mark': 'm1', 'analytics store': 'ClickHouse one', bucket: 'none' },
};
const own: NodeMarks = {
  keyMark: 'k1',
  secrets: { pepper: { '1': 'p2' }, 'link-keys': {} },
  facts: {
    'hot store': 'the ledger in the data folder',
    'hot store mark': 'm2',
    'analytics store': 'ClickHouse two',
    bucket: 'https://s3.example/b',
  },
  fromSettings: { pepper: 'PLACARD_SECRETS_PEPPER' },
};
const running = (facts: Readonly<Record<string, string>>) => ({ state: 'ready' as const, facts });

/** All kinds of sentences that the server has for the page. */
const sentences = (): string[] => [
  ...CLUSTER_SECRETS.flatMap(({ purpose, rotation }) => [purpose, rotation]),
  ...compareNode({ ...own, keyMark: null }, cluster),
  ...compareNode({ ...own, keyMark: 'k2' }, cluster),
  ...compareNode(own, cluster),
  twinProblem('n1', 'host one'),
  ...findWarnings([running({ version: '1', PLACARD_NODES: '1' }), running({ version: '2', PLACARD_NODES: '1' })]),
];

test('every sentence of the server about the cluster is known by its words', () => {
  const all = sentences();
  expect(all).toHaveLength(2 * CLUSTER_SECRETS.length + 2 + 2 + SHARED_FACTS.length + 1 + 2);
  expect(all.filter((sentence) => findSaid(sentence) === null)).toEqual([]);
});

test.each(['de', 'pl'] as const)(
  'in %s, a sentence of the server has its own words and the same values',
  async (language) => {
    await loadAreas(['settings']);
    await speakIn(language);
    for (const sentence of sentences()) {
      const said = sayOfCluster(sentence).replaceAll(/[\u2068\u2069]/g, '');
      expect(said).not.toBe(sentence);
      for (const value of Object.values(findSaid(sentence)?.values ?? {}))
        if (findSaid(value) === null) expect(said).toContain(value);
    }
    expect(sayOfCluster('a sentence of a later version')).toBe('a sentence of a later version');
  },
);

test('in English, the sentence of the server is said as it is', async () => {
  await loadAreas(['settings']);
  for (const sentence of sentences()) expect(sayOfCluster(sentence).replaceAll(/[\u2068\u2069]/g, '')).toBe(sentence);
});
