import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneLine } from './pdf-text.ts';
import { renderSharedPdf } from './shared-pdf.ts';
import { makeSharedReport } from './shared-report.ts';

const NOW_MS = Date.parse('2026-07-15T13:00:00Z');
const counts = { impressions: 1, viewable: 1, clicks: 0, conversions: 0, completed: 0 };

function render(name: string): Promise<Buffer> {
  const campaign = {
    workspaceId: 1,
    shareId: 1n,
    campaignId: '2',
    name,
    advertiser: 'Alder',
    network: 'First',
    timezone: 'UTC',
    currency: 'EUR',
    showsSpend: true,
    expiresAt: new Date(NOW_MS),
    startsAt: null,
    endsAt: null,
    lineItems: [{ id: '7', name, goal: null }],
  };
  const day = { lineItemId: '7', day: '2026-07-01', ...counts, spend: 0n };
  return renderSharedPdf(makeSharedReport(campaign, [day], NOW_MS));
}

/** All letters that the embedded fonts map to glyphs: what a viewer shows, finds and copies. */
function lettersOf(pdf: Buffer): Set<string> {
  const letters = new Set<string>();
  const text = pdf.toString('latin1');
  for (const [, body = ''] of text.matchAll(/stream\n([\s\S]*?)\nendstream/g)) {
    let content = '';
    try {
      content = inflateSync(Buffer.from(body, 'latin1')).toString('latin1');
    } catch {
      continue;
    }
    if (!content.includes('beginbfrange')) continue;
    for (const [, code = ''] of content.matchAll(/[[ ]<([0-9a-f]{4})>/g))
      letters.add(String.fromCharCode(Number(`0x${code}`)));
  }
  return letters;
}

test.each([
  ['Latin', 'Żółć Öğüş Đã Ắ'],
  ['Cyrillic', 'Київ Ёлка Џ'],
  ['Greek', 'Αθήνα ώΰ'],
])('a PDF has the letters of %s as they are', async (_script, name) => {
  const letters = lettersOf(await render(name));
  for (const letter of name.replaceAll(' ', '')) expect(letters).toContain(letter);
  expect(letters).not.toContain('?');
});

test('a letter that the font lacks is a box, and a note says so', async () => {
  const [plain, foreign] = [await render('Oak'), await render('漢字 متجر 👩')];
  expect(lettersOf(plain)).not.toContain('□');
  expect(foreign.length).toBeGreaterThan(plain.length);
  expect(lettersOf(foreign)).not.toContain('?');
});

test('a PDF embeds the glyphs that it uses alone', async () => {
  expect((await render('Łódź Київ Αθήνα')).length).toBeLessThan(60_000);
});

test('a name stays on its line, whatever its characters', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
      const line = oneLine(text);
      expect(line).not.toMatch(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
      expect(line.length).toBeLessThanOrEqual(3_000);
    }),
  );
  for (const name of ['a\u202eb\n\u0000', '\ud800', 'x'.repeat(5_000)])
    expect((await render(name)).length).toBeGreaterThan(1_000);
});
