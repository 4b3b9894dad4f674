import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository, or the installed package: both have the same folders. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Its headings and lists are the contents of the guide. */
const CONTENTS = 'docs/README.md';
/** Pages outside of `docs/` that pages link to. */
const OUTSIDE = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
export const GUIDE_ADDRESS = '/docs';

/** A page of the guide. */
export interface GuidePage {
  /** The path of its file from the root of the repository. */
  readonly file: string;
  /** The path of its address: `/docs/pacing`. */
  readonly address: string;
  readonly title: string;
  readonly text: string;
}

/** A heading of the contents, and the pages below it. */
export interface GuideSection {
  readonly title: string;
  readonly pages: readonly GuidePage[];
}

/** All pages of the guide. */
export interface Guide {
  readonly sections: readonly GuideSection[];
  readonly byFile: ReadonlyMap<string, GuidePage>;
  readonly byAddress: ReadonlyMap<string, GuidePage>;
}

let read: Guide | null = null;

/** The pages on disk, read when they are first asked for. A page that the contents name and this installation lacks is left out. */
export function openGuide(): Guide {
  read ??= readGuide();
  return read;
}

function readGuide(): Guide {
  const listed = listSections(readText(CONTENTS) ?? '');
  const files = new Set([CONTENTS, ...listed.flatMap(({ files: own }) => own), ...markdownIn('docs'), ...OUTSIDE]);
  const pages = [...files].flatMap((file) => {
    const text = readText(file);
    return text === null ? [] : [{ file, address: addressOf(file), title: titleOf(text, file), text }];
  });
  const byFile = new Map(pages.map((page) => [page.file, page]));
  const sections = listed.map(({ title, files: own }) => ({
    title,
    pages: own.flatMap((file) => byFile.get(file) ?? []),
  }));
  return { sections, byFile, byAddress: new Map(pages.map((page) => [page.address, page])) };
}

/** `docs/a/b.md` is at `/docs/a/b`, a README at its folder, `sdk/c.md` at `/docs/sdk/c`, and `D.md` at `/docs/project/d`. */
function addressOf(file: string): string {
  const path = (file.includes('/') ? file : `project/${file}`)
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .replace(/(^|\/)README$/, '');
  return path === '' ? GUIDE_ADDRESS : `${GUIDE_ADDRESS}/${path.toLowerCase()}`;
}

function listSections(contents: string): { title: string; files: string[] }[] {
  return contents
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.split('\n')[0]?.trim() ?? '',
      files: [...section.matchAll(/^- \[[^\]]*\]\(([^()#]+\.md)\)/gm)].map(([, target = '']) =>
        normalize(join(dirname(CONTENTS), target)),
      ),
    }));
}

function titleOf(text: string, file: string): string {
  return /^# +(.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? file;
}

/** Null where this installation has no such file. */
function readText(file: string): string | null {
  try {
    return readFileSync(join(ROOT, file), 'utf8');
  } catch {
    return null;
  }
}

function markdownIn(folder: string): string[] {
  try {
    const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`)
      .toSorted();
  } catch {
    return [];
  }
}

/** A picture of the pages. @returns null for a name that the guide has not */
export function readPicture(name: string): Buffer | null {
  try {
    return /^[\w-]+\.png$/.test(name) ? readFileSync(join(ROOT, 'docs/images', name)) : null;
  } catch {
    return null;
  }
}
