import { expect, test } from 'vitest';
import type { UploadedAsset } from '../api/bookings/creative-files.ts';
import { newDraft } from '../creative/content-draft.ts';
import { contentOf, isMarkup } from '../creative/file-content.ts';
import { creativeOf, missingOf, nameOfFile, newFile, newTyped } from './studio-file.ts';

const CLICK = 'https://orchard.example/pears';
const asset = (more: Partial<UploadedAsset>): UploadedAsset =>
  ({ url: '/assets/x', contentType: 'image/png', width: 300, height: 250, durationMs: null, ...more }) as UploadedAsset;
const file = newFile('1', { name: 'pear_300x250.png', size: 1_000 });
const ready = { ...file, ready: contentOf(asset({}), file.fileName) };

test('a creative has the name of its file without the ending, and the size that the name says', () => {
  expect([nameOfFile('pear.final.png'), nameOfFile('.png'), nameOfFile('x'.repeat(300))]).toEqual([
    'pear.final',
    '.png',
    'x'.repeat(200),
  ]);
  expect(file.size).toEqual({ width: 300, height: 250 });
  expect(newFile('2', { name: 'pear.png', size: 1 }).size).toEqual({ width: 0, height: 0 });
});

test('files of code become markup, and others are uploaded', () => {
  expect(['a.html', 'a.HTM', 'a.txt', 'a.zip', 'a.png'].map(isMarkup)).toEqual([true, true, true, false, false]);
});

test.each([
  ['image/png', {}, 'image'],
  ['application/zip', {}, 'bundle'],
  ['video/mp4', { durationMs: 15_000 }, 'video'],
  ['audio/mpeg', { durationMs: 15_000, bitrateKbps: 128 }, 'audio'],
] as const)('a file of %s becomes its kind of creative', (contentType, more, kind) => {
  expect(contentOf(asset({ contentType, ...more }), 'x')?.kind).toBe(kind);
});

test('a film or a sound of unknown length cannot be used', () => {
  expect(contentOf(asset({ contentType: 'video/mp4' }), 'x')).toBeNull();
  expect(contentOf(asset({ contentType: 'audio/mpeg' }), 'x')).toBeNull();
});

test('missing parts of a file are named one after the other, and neither a film nor a sound needs a size', () => {
  expect(missingOf({ ...ready, name: ' ' }, CLICK)).toBe('name');
  const unsized = { ...ready, size: { width: 0, height: 250 } };
  expect([missingOf(unsized, CLICK), missingOf(ready, ' '), missingOf(ready, CLICK)]).toEqual(['size', 'click', null]);
  const film = { ...unsized, ready: contentOf(asset({ contentType: 'video/mp4', durationMs: 1 }), 'x') };
  expect(missingOf(film, CLICK)).toBeNull();
  const sound = { ...unsized, ready: contentOf(asset({ contentType: 'audio/mpeg', durationMs: 1 }), 'x') };
  expect(missingOf(sound, CLICK)).toBeNull();
});

test('complete files become creatives, once each', () => {
  expect(creativeOf(ready, '7', ` ${CLICK} `)).toMatchObject({
    advertiserId: '7',
    name: 'pear_300x250',
    clickUrl: CLICK,
  });
  expect(creativeOf({ ...ready, creativeId: '5' }, '7', CLICK)).toBeNull();
  expect(creativeOf(file, '7', CLICK)).toBeNull();
  expect(creativeOf(ready, '7', '')).toBeNull();
});

test('typed content is a creative once its fields, its name and the landing page are there; an address of VAST fits any size', () => {
  const typed = { ...newTyped('4', 'vast'), name: 'Spring' };
  expect(missingOf(typed, CLICK)).toBe('content');
  const draft = { ...newDraft('vast'), vastTagUrl: 'https://vast.example/1' };
  expect(missingOf({ ...typed, draft }, '')).toBe('click');
  expect(creativeOf({ ...typed, draft }, '2', CLICK)).toMatchObject({
    width: 0,
    height: 0,
    content: { video: { title: 'Spring', durationMs: 15_000, vastTagUrl: 'https://vast.example/1' } },
  });
  const tag = { ...newTyped('5', 'markup'), name: 'Tag', draft: { ...newDraft('markup'), html: '<b>1</b>' } };
  expect(missingOf(tag, CLICK)).toBe('size');
});
