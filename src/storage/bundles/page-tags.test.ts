import { expect, test } from 'vitest';
import { findHeadStart, findStatedSize } from './page-tags.ts';

const LONG = 'x'.repeat(100_000);

test.each<readonly [string, string, string]>([
  ['a usual page', '<!DOCTYPE html><html><head>', '<title>x</title></head>'],
  ['upper case and attributes', '<!doctype html>\n<HTML lang="en">\n<HEAD profile="a">', '<meta>'],
  ['a value with the sign that ends a tag', `<html data-a='<head>' data-b = "a>b"><head>`, '<meta>'],
  ['a quote without a value', "<html it's><head>", '<meta title="\'">'],
  ['a closed head', '<html><head/>', '<title>'],
  ['a long comment before the head', `<!doctype html><html><!-- <head> ${LONG} --><head>`, '<title>'],
  [
    'a long doctype',
    `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "http://www.w3.org/${LONG}">\n<html><head>`,
    '<title>',
  ],
  ['comments that are short or conditional', '<!--><!-- a --><!--[if !IE]><!--><html><!--<![endif]--><head>', ''],
  ['no head', '<!doctype html><html lang="en">', '<title>x</title><body>'],
  ['a header instead of a head', '<html>', '<body><header>x</header>'],
  ['a header at once', '<!DOCTYPE html>', '<header><head>'],
  ['a head in the body', '<html>', '<script>"<head>"</script>'],
  ['neither head nor html', '<?xml version="1.0"?><!DOCTYPE html>', '<p>x</p>'],
  ['no doctype', '', '<script>var a = "<head>";</script>'],
  ['text only', '', 'a < b'],
  ['an empty page', '', ''],
  ['a head that does not end', '<!doctype html><html>', '<head a="'],
  ['a comment that does not end', '<!doctype html>', '<!-- <html><head>'],
])('code is put in where the head begins: %s', (_name, before, after) => {
  expect(findHeadStart(before + after)).toBe(before.length);
});

test.each<readonly [string, string, { width: number; height: number } | null]>([
  [
    'a size',
    '<head><meta charset="utf-8"><meta name="ad.size" content="width=300,height=250">',
    { width: 300, height: 250 },
  ],
  ['other spelling', "<META content='width = 728 , height = 90'\n NAME = ad.size >", { width: 728, height: 90 }],
  ['another name', '<meta name="ad.sizes" content="width=300,height=250">', null],
  ['a size without numbers', '<meta name="ad.size" content="auto">', null],
  ['a size outside of the tag', '<meta name="ad.size"> width=300,height=250', null],
  ['a tag that does not end', '<meta name="ad.size" content="width=300,height=250"', null],
  ['no tag', 'name="ad.size" content="width=300,height=250"', null],
])('the size that a page states is read: %s', (_name, page, size) => {
  expect(findStatedSize(page)).toEqual(size);
});
