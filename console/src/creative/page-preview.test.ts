import { expect, test } from 'vitest';
import { pagePreviewUrl } from './page-preview.ts';

const PREVIEW = {
  page: 'www.magazine.example/travel?from=desk#top',
  previewUrl: 'https://core.example/preview/1.creative.7.99.abc-d_e',
  size: { width: 300, height: 250 },
  adUnit: 'home, side/"bar"',
};

test('the address of a page says in its fragment what its tag shows, and in which ad unit', () => {
  expect(pagePreviewUrl(PREVIEW)).toBe(
    'https://www.magazine.example/travel?from=desk#placard-preview=1.creative.7.99.abc-d_e,300,250,home%2C%20side%2F%22bar%22',
  );
  expect(pagePreviewUrl({ ...PREVIEW, page: ' http://shop.example ' })).toMatch(/^http:\/\/shop\.example\/#placard/);
  expect(pagePreviewUrl({ ...PREVIEW, size: { width: 0, height: 0 } })).toContain(',300,250,');
});

test('a preview without a page or an ad unit has no address', () => {
  for (const page of ['', ' ', 'https://', 'no address']) expect(pagePreviewUrl({ ...PREVIEW, page })).toBeNull();
  expect(pagePreviewUrl({ ...PREVIEW, adUnit: '' })).toBeNull();
});
