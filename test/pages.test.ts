/** Pages for people: each is listed in docs/README.md, and what they point to exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...markdownIn('docs'),
  ...markdownIn('bench'),
  ...['client', 'prebid', 'prebid-server', 'python', 'react', 'tag'].map((name) => `sdk/${name}/README.md`),
];

function markdownIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
    .toSorted();
}

/** A page without its blocks of code: brackets there do not make links. */
const prose = (path: string): string => read(path).replace(/^ *```[\s\S]*?^ *```/gm, '');

interface Link {
  /** From the root of the repository. */
  readonly path: string;
  /** '' for none. */
  readonly anchor: string;
}

/** Links to files of the repository, and anchors of the page itself. */
function linksOf(page: string): Link[] {
  const targets = [...prose(page).matchAll(/\]\((?<target>[^()\s]+)\)|(?:src|href)="(?<attribute>[^"]+)"/g)].map(
    ({ groups }) => groups?.['target'] ?? groups?.['attribute'] ?? '',
  );
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return { path: path === '' ? page : normalize(join(dirname(page), path)), anchor };
    });
}

/** The anchors of a page's headings, as forges make them. */
function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>();
  const slugs = [...prose(page).matchAll(/^#{1,6} +(?<title>.+)$/gm)].map(({ groups }) => {
    const slug = (groups?.['title'] ?? '')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set(slugs);
}

describe.each(pages)('%s', (page) => {
  test('its links lead to files and headings that exist', () => {
    const broken = linksOf(page).filter(({ path, anchor }) => {
      if (!existsSync(join(ROOT, path))) return true;
      return anchor !== '' && path.endsWith('.md') && !anchorsOf(path).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('its paths of code exist', () => {
    const named = [...prose(page).matchAll(/`((?:src|console\/src|sdk|test|bench|scripts|contract)\/[\w./-]+)`/g)];
    const missing = named.map(([, path = '']) => path).filter((path) => !existsSync(join(ROOT, path)));
    expect(missing).toEqual([]);
  });
});

/** Paths that a page of links names, from the root of the repository. */
const listedIn = (page: string): string[] => linksOf(page).map(({ path }) => path);

test('docs/README.md lists each page once', () => {
  const own = markdownIn('docs').filter((path) => path !== 'docs/README.md' && !/^docs\/adr\/\d/.test(path));
  const listed = listedIn('docs/README.md');
  expect(listed.filter((path) => path.startsWith('docs/')).toSorted()).toEqual(own);
});

test('docs/adr/README.md lists each decision record by its number and title', () => {
  const records = markdownIn('docs/adr').filter((path) => path !== 'docs/adr/README.md');
  const lines = read('docs/adr/README.md')
    .split('\n')
    .filter((line) => line.startsWith('- '));
  const titles = records.map((path) => `- [${/^# (.+)$/m.exec(read(path))?.[1]}](${path.slice('docs/adr/'.length)})`);
  expect(lines).toEqual(titles);
  for (const path of records) expect(read(path)).toMatch(new RegExp(`^# ${path.slice(9, 13)} · `));
});
