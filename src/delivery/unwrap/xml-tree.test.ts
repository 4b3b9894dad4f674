import { expect, test } from 'vitest';
import { findElement, parseXml, textsOf } from './xml-tree.ts';

test('a document becomes elements with their attributes and texts, however long', async () => {
  const many = '<b x="1 &amp; 2"> a<![CDATA[<&>]]>&#65; </b>'.repeat(1_000);
  const root = await parseXml(`<?xml version="1.0"?>\n<!-- c --><a>${many}<p:c><d/></p:c></a>`);
  expect([root.name, root.children.length, root.children[999]?.text]).toEqual(['a', 1_000, ' a<&>A ']);
  expect(findElement(root, 'b')?.attributes.get('x')).toBe('1 & 2');
  expect(textsOf(root, 'b')[0]).toBe('a<&>A');
});

test.each([
  ['', /./],
  ['text', /./],
  ['<a><b></a>', /unexpected close tag|mismatch/i],
  ['<a/><b/>', /./],
  ['<a>&lol;</a>', /undefined entity/],
  ['<!DOCTYPE a [<!ENTITY lol "lol">]><a>&lol;</a>', /DOCTYPE/],
  ['<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', /DOCTYPE/],
  ['<a>\u0001</a>', /disallowed character/],
  ['<a x="1" x="2"/>', /duplicate attribute/],
  ['<a>'.repeat(33), /nested too deeply/],
  [`<a>${'<b/>'.repeat(2_000)}</a>`, /too many elements/],
  [`<a ${Array.from({ length: 101 }, (_, at) => `x${at}="1"`).join(' ')}/>`, /too many attributes/],
])('the parser refuses %.60s', async (text, message) => {
  await expect(parseXml(text)).rejects.toThrow(message);
});
