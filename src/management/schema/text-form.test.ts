import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { buildSchema, getNamedType, isInputObjectType, isObjectType, parse, print } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';
import { documentInTextForm, inTextForm, variablesInTextForm, VERBATIM_FIELDS } from '../kernel/text-form.ts';

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
});
afterAll(() => api.close());

/** Names of all arguments and input fields that take text, also inside of free JSON. */
function textInputs(): Set<string> {
  const schema = buildSchema(readFileSync(new URL('../../../contract/schema.graphql', import.meta.url), 'utf8'));
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const inputs = types.flatMap((type) => {
    if (isInputObjectType(type)) return Object.values(type.getFields());
    return isObjectType(type) ? Object.values(type.getFields()).flatMap(({ args }) => args) : [];
  });
  return new Set(inputs.flatMap(({ name, type }) => (/^(String|JSON)$/.test(getNamedType(type).name) ? [name] : [])));
}

describe('the form of texts', () => {
  test('every verbatim name is an input of the schema, and every address and foreign id is verbatim', () => {
    const inputs = textInputs();
    expect([...VERBATIM_FIELDS].filter((name) => !inputs.has(name))).toEqual([]);
    const opaque = [...inputs].filter((name) => /urls?$|html|external_?id|Link$/i.test(name));
    expect(opaque.filter((name) => !VERBATIM_FIELDS.has(name))).toEqual([]);
  });

  test('literals and variables of one text have one form, whatever their names', () => {
    const name = fc.constantFrom('name', 'values', 'html', 'externalId', 'clickUrls');
    const text = fc.string({ unit: fc.constantFrom('o\u0301', 'ó', 'Å', 'a\u030a', 'x', '"', '\\'), maxLength: 6 });
    fc.assert(
      fc.property(fc.dictionary(name, fc.oneof(text, fc.array(text, { maxLength: 3 }))), (input) => {
        const literal = JSON.stringify(input).replaceAll(/"(\w+)":/g, '$1:');
        const formed = JSON.stringify(inTextForm(input)).replaceAll(/"(\w+)":/g, '$1:');
        const [given, wanted] = [literal, formed].map((object) =>
          parse(`{ f(input: ${object}) }`, { noLocation: true }),
        );
        if (given === undefined || wanted === undefined) throw new Error('no document');
        expect(print(documentInTextForm(given).document)).toBe(print(wanted));
      }),
    );
  });
});

test('a variable has the form that the field wants which takes it, whatever its own name', () => {
  const document = parse(
    'query ($html: String, $name: String) { f(name: $html, input: [{ html: $name, notes: $other }]) }',
  );
  const { verbatimVariables } = documentInTextForm(document);
  const given = { html: 'o\u0301', name: 'o\u0301', other: { name: 'o\u0301', html: 'o\u0301' } };
  expect(variablesInTextForm(given, verbatimVariables)).toEqual({
    html: 'ó',
    name: 'o\u0301',
    other: { name: 'ó', html: 'o\u0301' },
  });
});

describe('names', () => {
  const CREATE = 'mutation ($input: CreateAdUnitInput!) { createAdUnit(input: $input) { adUnit { id name notes } } }';
  const FIND =
    'query ($filter: AdUnitFilter, $where: AdUnitWhere) { adUnits(filter: $filter, where: $where) { nodes { name } } }';
  const [nfc, nfd] = ['Łódź/góra', 'Łódź/góra'].map((text, at) => text.normalize(at === 0 ? 'NFC' : 'NFD'));

  test('a name is stored in one form and found by each, and a second object of that name is refused', async () => {
    const { createSite } = await api.data<{ createSite: { site: { id: string } } }>(
      `mutation { createSite(input: { code: "${nfd}", name: "S", domain: "a.example" }) { site { id code } } }`,
    );
    const siteId = createSite.site.id;
    expect(createSite.site).toMatchObject({ code: nfc });
    const made = await api.data(CREATE, {
      input: { siteId, name: nfd, notes: nfd, sizes: [], mediaTypes: ['BANNER'] },
    });
    expect(made).toMatchObject({ createAdUnit: { adUnit: { name: nfc, notes: nfc } } });
    const again = await api.ask(CREATE, {
      variables: { input: { siteId, name: nfc, sizes: [], mediaTypes: ['BANNER'] } },
    });
    expect(again.body.errors?.[0]?.extensions['fields']).toMatchObject([{ path: 'input.name' }]);
    const filters = [nfc, nfd].flatMap((name) => [
      { filter: { names: [name] } },
      { filter: { search: name } },
      { where: { name: { eq: name } } },
      { where: { name: { contains: name?.slice(3) } } },
    ]);
    for (const filter of filters) expect(await api.data(FIND, filter)).toEqual({ adUnits: { nodes: [{ name: nfc }] } });
  });

  test('ids of other systems are stored as sent', async () => {
    const create =
      'mutation ($input: CreateAdvertiserInput!) { createAdvertiser(input: $input) { advertiser { externalId } } }';
    const made = await api.data(create, { input: { name: 'A', externalId: nfd } });
    expect(made).toEqual({ createAdvertiser: { advertiser: { externalId: nfd } } });
    const find = 'query ($ids: [String!]) { advertisers(filter: { externalIds: $ids }) { totalCount } }';
    expect(await api.data(find, { ids: [nfd] })).toEqual({ advertisers: { totalCount: 1 } });
    expect(await api.data(find, { ids: [nfc] })).toEqual({ advertisers: { totalCount: 0 } });
  });
});

describe('domains', () => {
  const ASCII = 'xn--d-uga0v4h.example';
  const forms = ['łódź.example', 'łódź.example'.normalize('NFD'), 'ŁÓDŹ.EXAMPLE', ASCII, `${ASCII.toUpperCase()}.`];

  test.each(forms)('the domain %s of a site is stored in ASCII, and found by each of its forms', async (domain) => {
    const create = `mutation ($input: CreateSiteInput!) { createSite(input: $input) { site { id domain } } }`;
    const code = `code-${forms.indexOf(domain)}`;
    const { createSite } = await api.data<{ createSite: { site: object } }>(create, {
      input: { code, name: 'S', domain },
    });
    expect(createSite.site).toMatchObject({ domain: ASCII });
    const find =
      'query ($filter: SiteFilter, $where: SiteWhere) { sites(filter: $filter, where: $where) { nodes { code } } }';
    for (const form of forms) {
      const queries = [
        { filter: { domains: [form], codes: [code] } },
        { filter: { search: form, codes: [code] } },
        { where: { and: [{ domain: { eq: form } }, { code: { eq: code } }] } },
        { where: { and: [{ domain: { in: [form] } }, { code: { eq: code } }] } },
      ];
      for (const query of queries) expect(await api.data(find, query)).toEqual({ sites: { nodes: [{ code }] } });
    }
  });

  test('domains of advertisers and of targeting are stored in ASCII, each once', async () => {
    const create = `mutation ($domains: [String!]) { createAdvertiser(input: { name: "D", domains: $domains }) {
      advertiser { id domains } } }`;
    const made = await api.data(create, { domains: [...forms, 'b.example'] });
    expect(made).toMatchObject({ createAdvertiser: { advertiser: { domains: [ASCII, 'b.example'] } } });
    const found = 'query ($domain: String) { advertisers(where: { domains: { has: $domain } }) { totalCount } }';
    for (const domain of forms) expect(await api.data(found, { domain })).toEqual({ advertisers: { totalCount: 1 } });
  });

  test('a site with a malformed domain is refused', async () => {
    const create =
      'mutation ($domain: String!) { createSite(input: { code: "x", name: "x", domain: $domain }) { site { id } } }';
    for (const domain of ['ó b.example', 'https://ó.example', 'ó/x', '\u200b'])
      expect((await api.ask(create, { variables: { domain } })).body.errors?.[0]?.extensions.code).toBe(
        'validation_failed',
      );
  });
});
