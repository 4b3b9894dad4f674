import { expect, test } from 'vitest';
import { contentOfDraft, draftOf, newDraft } from './content-draft.ts';

const NATIVE = {
  title: 'Night trains',
  body: 'From Warsaw to Prague.',
  callToAction: 'Book',
  sponsoredBy: 'Nordlicht',
  imageUrl: '/assets/a.png',
  imageWidth: 1_200,
  imageHeight: 627,
};

test('a tag is content once it has code, up to the length that a creative may have', () => {
  expect(contentOfDraft({ ...newDraft('markup'), html: ' ' }, 'Tag')).toBeNull();
  expect(contentOfDraft({ ...newDraft('markup'), html: '<b>1</b>' }, 'Tag')).toEqual({ html: { html: '<b>1</b>' } });
  expect(contentOfDraft({ ...newDraft('markup'), html: 'x'.repeat(200_001) }, 'Tag')).toBeNull();
});

test('an address of VAST needs a length, and gets the name of the creative as its title', () => {
  const draft = { ...newDraft('vast'), vastTagUrl: ' https://vast.example/1 ', seconds: 7.5 };
  expect(contentOfDraft(draft, 'Spring ')).toEqual({
    video: { title: 'Spring', durationMs: 7_500, vastTagUrl: 'https://vast.example/1' },
  });
  expect(contentOfDraft({ ...draft, seconds: null }, 'Spring')).toBeNull();
});

test('a native ad needs all of its texts and the size of its picture; a logo may be missing', () => {
  const draft = { ...newDraft('native'), ...NATIVE };
  expect(contentOfDraft(draft, '')).toEqual({ native: NATIVE });
  expect(contentOfDraft({ ...draft, iconUrl: '/assets/i.png' }, '')).toEqual({
    native: { ...NATIVE, iconUrl: '/assets/i.png' },
  });
  expect(contentOfDraft({ ...draft, body: ' ' }, '')).toBeNull();
  expect(contentOfDraft({ ...draft, imageWidth: null }, '')).toBeNull();
});

test('typed content is read back as it was typed, and the content of files is none', () => {
  const tag = { ...newDraft('markup'), html: '<b>1</b>' };
  expect(draftOf({ html: '<b>1</b>', bundle: null })).toEqual(tag);
  const vast = { ...newDraft('vast'), vastTagUrl: 'https://vast.example/1', seconds: 30 };
  expect(draftOf({ title: 'Spring', durationMs: 30_000, vastTagUrl: vast.vastTagUrl, mediaFiles: [] })).toEqual(vast);
  expect(draftOf({ ...NATIVE, iconUrl: null })).toEqual({ ...newDraft('native'), ...NATIVE });
  expect(draftOf({ imageUrl: '/assets/a.png' })).toBeNull();
  expect(draftOf({ html: '', bundle: { zipUrl: '/assets/b.zip' } })).toBeNull();
  expect(
    draftOf({ title: 'Spring', durationMs: 1, vastTagUrl: null, mediaFiles: [{ url: '/assets/c.mp4' }] }),
  ).toBeNull();
});
