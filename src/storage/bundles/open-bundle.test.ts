import { describe, expect, test } from 'vitest';
import { BUNDLE_PAGE, makeZip, type ZipFile } from './fixtures/make-zip.ts';
import { readPieces } from './code-pieces.ts';
import { BUNDLE_LIMITS, BundleRefused, openBundle } from './open-bundle.ts';
import { prepareBundle } from './served-bundle.ts';

const page: ZipFile = { path: 'index.html', content: BUNDLE_PAGE };

describe('HTML5 bundles', () => {
  test('a bundle has an entry page, a click tag and its files', async () => {
    const zip = makeZip([page, { path: 'js/ad.js', content: 'go()' }, { path: '__MACOSX/x.exe', content: 'x' }]);
    const bundle = await openBundle(zip);
    expect(bundle).toMatchObject({ entry: 'index.html', clickTag: 'clickTag' });
    expect([...bundle.files.keys()]).toEqual(['index.html', 'js/ad.js']);
    expect(bundle.unpackedBytes).toBe(Buffer.byteLength(BUNDLE_PAGE) + 4);
  });

  test('an archive of Windows is read with slashes', async () => {
    const bundle = await openBundle(
      makeZip([page, { path: 'js\\ad.js', content: 'go()' }, { path: 'img\\', content: '' }]),
    );
    expect([...bundle.files.keys()]).toEqual(['index.html', 'js/ad.js']);
  });

  test('files that no ad needs are left out and named', async () => {
    const unused = ['js/ad.js.map', 'favicon.ico', 'README.md', 'css\\ad.scss'];
    const bundle = await openBundle(makeZip([page, ...unused.map((path) => ({ path, content: 'x' }))]));
    expect([...bundle.files.keys()]).toEqual(['index.html']);
    expect(bundle.leftOut).toEqual(['js/ad.js.map', 'favicon.ico', 'README.md', 'css/ad.scss']);
  });

  test('a file that unpacks to more than its archive says, or than is allowed, is refused before it fills the memory', async () => {
    const zeros = Buffer.alloc(BUNDLE_LIMITS.unpackedBytes + 1);
    await expect(openBundle(makeZip([page, { path: 'a.js', content: zeros }]))).rejects.toThrow('more than');
    const lying = { path: 'a.js', content: zeros, declaredBytes: 10 };
    await expect(openBundle(makeZip([page, lying]))).rejects.toThrow(BundleRefused);
    const parts = Array.from({ length: 11 }, (_one, index) => ({
      path: `${index}.js`,
      content: Buffer.alloc(1 << 20),
    }));
    await expect(openBundle(makeZip([page, ...parts]))).rejects.toThrow('more than');
  });

  test.each<readonly [string, readonly ZipFile[], string]>([
    ['a path that leaves the archive', [page, { path: '../../etc/x.js', content: '' }], ''],
    ['an absolute path', [page, { path: '/etc/x.js', content: '' }], ''],
    ['a path with backslashes that leaves the archive', [page, { path: 'a\\..\\..\\x.js', content: '' }], ''],
    ['an unused file outside of the archive', [page, { path: '../x.map', content: '' }], ''],
    ['a drive of Windows', [page, { path: 'C:\\x.js', content: '' }], ''],
    ['a symbolic link', [page, { path: 'link.js', content: '/etc/passwd', mode: 0o120_777 }], 'is a link'],
    ['a program', [page, { path: 'run.exe', content: '' }], 'unknown type'],
    ['a file twice', [page, page], 'twice'],
    ['no page', [{ path: 'ad.js', content: 'clickTag' }], 'no page'],
    ['no click tag', [{ path: 'index.html', content: '<a href="https://x.example">x</a>' }], 'click tag'],
    [
      'too many files',
      [page, ...Array.from({ length: BUNDLE_LIMITS.files }, (_one, at) => ({ path: `${at}.txt`, content: '' }))],
      'at most',
    ],
  ])('%s is refused', async (_title, files, message) => {
    const opening = openBundle(makeZip(files));
    await expect(opening).rejects.toThrow(BundleRefused);
    await expect(opening).rejects.toThrow(message);
  });

  test('an archive that is cut off anywhere, or damaged, is refused', async () => {
    const zip = makeZip([page]);
    for (const length of [0, 10, zip.length >> 1, zip.length - 1])
      await expect(openBundle(zip.subarray(0, length))).rejects.toThrow(BundleRefused);
    const damaged = Buffer.from(zip).fill(0xff, 45, 80);
    await expect(openBundle(damaged)).rejects.toThrow(BundleRefused);
  });

  test('the code of a served bundle takes the click address from its own address, and falls back to its own', async () => {
    const script = `var clickTAG='https://own.example/';let clickTag2 = "";const other = "https://x.example";`;
    const served = await prepareBundle(makeZip([page, { path: 'js/ad.js', content: script }]));
    const text = (path: string) => served.files.get(path)?.bytes.toString() ?? '';
    expect(text('index.html')).toContain(
      'var clickTag = (window.__placardClickTag||"https://www.example.com/landing")',
    );
    expect(text('index.html').indexOf('URLSearchParams')).toBeLessThan(text('index.html').indexOf('var clickTag'));
    expect(text('js/ad.js')).toBe(
      `var clickTAG=(window.__placardClickTag||'https://own.example/');let clickTag2 = (window.__placardClickTag||"");const other = "https://x.example";`,
    );
  });

  test('click tags are found wherever they are in a large file, and all other bytes stay', async () => {
    const own = 'clickTag = "https://own.example/"';
    const taken = 'clickTag = (window.__placardClickTag||"https://own.example/")';
    // Each byte of the assignment is at the end of a piece (256 kB) once; \u00a0 has a byte that is white space in Latin-1.
    for (let shift = 0; shift <= own.length + 1; shift += 1) {
      const before = `${'é\u00a0'.repeat((256 * 1024) / 4 - 10)}${'.'.repeat(40 - shift)}`;
      const code = (tag: string): string => `${before}${tag};my${own};é\u2028`;
      const served = await prepareBundle(makeZip([page, { path: 'ad.js', content: code(own) }]));
      expect(served.files.get('ad.js')?.bytes.toString() === code(taken)).toBe(true);
    }
  });

  test('a file of click tags only is not served much larger than it is', async () => {
    const content = 'clickTag="";'.repeat(100_000);
    const served = await prepareBundle(makeZip([page, { path: 'ad.js', content }]));
    expect(served.files.get('ad.js')?.bytes.length).toBe(
      content.length + 1_000 * '(window.__placardClickTag||)'.length,
    );
  });

  test('other work of the process runs while a large bundle is prepared', async () => {
    const zip = makeZip([page, { path: 'ad.js', content: Buffer.alloc(8 * 1024 * 1024, 'a ') }]);
    const { files } = await openBundle(zip);
    let turns = 0;
    let isDone = false;
    const count = (): unknown => setImmediate(() => (isDone ? 0 : ((turns += 1), count())));
    count();
    const sizes: number[] = [];
    for await (const { text } of readPieces(files.get('ad.js') ?? Buffer.alloc(0))) sizes.push(text.length);
    isDone = true;
    expect(sizes).toHaveLength(32);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(300_000);
    expect(turns).toBeGreaterThanOrEqual(31);
  });
});
