import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assetName } from '../../../storage/assets.ts';
import { BUNDLE_PAGE, makeZip } from '../../../storage/bundles/fixtures/make-zip.ts';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';
import { reserveAsset } from '../upload/assets.sql.ts';
import { makePng } from '../upload/fixtures/pictures.ts';
import { readFacts } from '../upload/read-facts.ts';
import { sniffFile } from '../upload/sniff-file.ts';

let api: TestManagement;
let lineItemId: string;
beforeAll(async () => {
  api = await createTestManagement({ hasAsset: (name) => Promise.resolve(name.startsWith('d')) });
  const create = async (type: string, input: Record<string, unknown>): Promise<string> => {
    const one = type.charAt(0).toLowerCase() + type.slice(1);
    const result = await api.data<Record<string, Record<string, { id: string }>>>(
      `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${one} { id } } }`,
      { input },
    );
    return result[`create${type}`]?.[one]?.id ?? '';
  };
  const siteId = await create('Site', { name: 'S', code: 's', domain: 's.example' });
  await create('AdUnit', { siteId, name: 'any size' });
  const advertiserId = await create('Advertiser', { name: 'A' });
  const campaignId = await create('Campaign', { name: 'C', advertiserId });
  lineItemId = await create('LineItem', { name: 'L', campaignId, type: 'HOUSE' });
});
afterAll(() => api.close());

/** Stores what an upload would, and returns the address. */
async function upload(bytes: Buffer): Promise<string> {
  const sniffed = await sniffFile(bytes);
  if (sniffed === null) throw new Error('The file has no known type.');
  const name = assetName(bytes, sniffed.extension);
  const asset = { workspaceId: 1, name, sizeBytes: bytes.length, facts: await readFacts(bytes, sniffed) };
  await reserveAsset(api.database.db, asset, { bytesMax: 1e9, now: new Date(api.clock.nowMs) });
  return `/assets/${name}`;
}

interface Created {
  readonly problems: unknown;
  readonly warnings: unknown;
  readonly creative: Record<string, unknown> | undefined;
}

async function createCreative(content: unknown, more: Record<string, unknown> = {}): Promise<Created> {
  const input = { lineItemId, name: 'x', width: 300, height: 250, clickUrl: 'https://a.example/', content, ...more };
  const { body } = await api.ask(
    `mutation ($input: CreateCreativeInput!) { createCreative(input: $input) { warnings { path code } creative { id secure
      content { ... on HtmlContent { html bundle { zipUrl entry clickTag } } }
      scan { insecureUrls hosts usesCookies usesStorage usesDocumentWrite hasClickMacro warnings { code } } } } }`,
    { variables: { input } },
  );
  const made = body.data?.['createCreative'] as { warnings: unknown; creative: Record<string, unknown> } | undefined;
  return {
    problems: body.errors?.[0]?.extensions['fields'],
    warnings: made?.warnings,
    creative: made?.creative,
  };
}

const picture = (imageUrl: string) => ({ image: { imageUrl, alt: '' } });

describe('files of creatives', () => {
  test('a 1 × 1 picture in a 300 × 250 creative is refused, and one of twice the size is not', async () => {
    expect((await createCreative(picture(await upload(makePng(1, 1))))).problems).toMatchObject([
      { path: 'input.content.image.imageUrl', code: 'too_small' },
    ]);
    expect(await createCreative(picture(await upload(makePng(600, 500))))).toMatchObject({
      problems: undefined,
      warnings: [],
    });
  });

  test('a picture of other proportions is stored with a warning', async () => {
    expect(await createCreative(picture(await upload(makePng(300, 300))))).toMatchObject({
      problems: undefined,
      warnings: [{ path: 'input.content.image.imageUrl', code: 'other_proportions' }],
    });
  });

  test('a file that was never uploaded is refused, and one that the service stored itself is not', async () => {
    const missing = `/assets/${'a'.repeat(64)}.png`;
    expect((await createCreative(picture(missing))).problems).toMatchObject([
      { path: 'input.content.image.imageUrl', code: 'missing_file' },
    ]);
    expect((await createCreative(picture(`/assets/${'d'.repeat(64)}.png`))).problems).toBeUndefined();
  });

  test('an archive is refused where a picture belongs', async () => {
    const zipUrl = await upload(makeZip([{ path: 'index.html', content: BUNDLE_PAGE }]));
    expect((await createCreative(picture(zipUrl))).problems).toMatchObject([{ code: 'wrong_type' }]);
  });

  test('an HTML5 bundle becomes a creative that knows its entry page, its click tag and what its code does', async () => {
    const script = 'localStorage.x = 1; load("http://cdn.example/lib.js"); load("//fonts.example/f")';
    const files = [
      { path: 'ad/index.html', content: BUNDLE_PAGE },
      { path: 'ad/js/ad.js', content: script },
    ];
    const zipUrl = await upload(makeZip(files));
    const { creative, problems } = await createCreative({ html5: { zipUrl } });
    expect(problems).toBeUndefined();
    expect(creative).toMatchObject({
      secure: false,
      content: { html: '', bundle: { zipUrl, entry: 'ad/index.html', clickTag: 'clickTag' } },
      scan: {
        insecureUrls: ['http://cdn.example/lib.js'],
        hosts: ['a.example', 'cdn.example', 'fonts.example', 'www.example.com'],
        usesStorage: true,
        hasClickMacro: true,
      },
    });
  });

  test('an archive that was not uploaded here, and a picture in its place, are refused by field', async () => {
    expect((await createCreative({ html5: { zipUrl: 'https://a.example/x.zip' } })).problems).toMatchObject([
      { path: 'input.content.html5.zipUrl', code: 'not_uploaded' },
    ]);
    expect((await createCreative({ html5: { zipUrl: `/assets/${'b'.repeat(64)}.zip` } })).problems).toMatchObject([
      { path: 'input.content.html5.zipUrl', code: 'missing_file' },
    ]);
  });
});

describe('macros', () => {
  test('a macro that nothing fills is a warning on its field', async () => {
    const { warnings } = await createCreative({ html: { html: '<a href="${CLICK_URL}">${CAMPAIGN} %%SITE%%</a>' } });
    expect(warnings).toEqual([{ path: 'input.content', code: 'unknown_macro' }]);
    const known =
      '<a href="${CLICK_URL}"><img src="https://a.example/?${GDPR_CONSENT_755}&[timestamp]&${AUCTION_PRICE}"></a>';
    expect((await createCreative({ html: { html: known } })).warnings).toEqual([]);
  });
});

describe('scans', () => {
  test.each([
    ['<a href="${CLICK_URL}"><img src="https://cdn.example/x.png"></a>', [], ['a.example', 'cdn.example']],
    [
      '<script src="http://bad.example/x.js"></script>',
      ['insecure_address', 'no_click_macro'],
      ['a.example', 'bad.example'],
    ],
    [
      '<script>document.cookie="a=1";document.write(1);${CLICK_URL_ENC}</script>',
      ['uses_cookies', 'document_write'],
      ['a.example'],
    ],
    ['<svg xmlns="http://www.w3.org/2000/svg"></svg>', ['no_click_macro'], ['a.example']],
  ])(
    'the scan of %s has its warnings and hosts, and the mutation returns the same warnings',
    async (html, codes, hosts) => {
      const { creative, warnings } = await createCreative({ html: { html } });
      const scanned = codes.map((code) => ({
        path: 'input.content',
        code: code === 'insecure_address' ? 'not_https' : code,
      }));
      expect(warnings).toEqual(scanned);
      const scan = creative?.['scan'] as { warnings: { code: string }[]; hosts: string[] };
      expect(scan.warnings.map(({ code }) => code)).toEqual(codes);
      expect(scan.hosts).toEqual(hosts);
    },
  );
});
