import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';
import { createEngine } from '../../schema/engine.ts';
import { managementSchema, RESOURCES } from '../../schema/schema.ts';
import { exportConfiguration } from '../../transfer/export-configuration.ts';
import { importConfiguration } from '../../transfer/import-configuration.ts';

let api: TestManagement;
let campaignId: string;

const BANNER = {
  clickUrl: 'https://acme.example/',
  width: 300,
  height: 250,
  content: { html: { html: '<a href="${CLICK_URL}">Acme</a>' } },
};
const FILM = {
  clickUrl: 'https://acme.example/',
  content: {
    video: {
      title: 'Film',
      durationMs: 15_000,
      mediaFiles: [{ url: 'https://cdn.example/a.mp4', mimeType: 'video/mp4', width: 640, height: 360 }],
    },
  },
};

interface Made {
  readonly id: string;
  readonly warnings: readonly { path: string; code: string; message: string }[];
}

async function make(type: string, input: unknown): Promise<Made> {
  const field = `${type[0]?.toLowerCase()}${type.slice(1)}`;
  const data = await api.data<Record<string, { warnings: Made['warnings'] } & Record<string, { id: string }>>>(
    `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${field} { id } warnings { path code message } } }`,
    { input },
  );
  const made = data[`create${type}`];
  return { id: made?.[field]?.id ?? '', warnings: made?.warnings ?? [] };
}

async function problemsOf(mutation: string, variables: object): Promise<unknown> {
  const response = await api.ask(mutation, { variables });
  return response.body.errors?.[0]?.extensions['fields'];
}

const makeLineItem = (more: object) => make('LineItem', { campaignId, name: 'L', type: 'HOUSE', ...more });
const makeCreative = (lineItemId: string, more: object) => make('Creative', { lineItemId, name: 'C', ...more });
const CREATE = 'mutation ($input: CreateCreativeInput!) { createCreative(input: $input) { validatedOnly } }';

beforeAll(async () => {
  api = await createTestManagement();
  const advertiser = await make('Advertiser', { name: 'Acme' });
  campaignId = (await make('Campaign', { advertiserId: advertiser.id, name: 'Films' })).id;
});
afterAll(() => api.close());

describe('companions', () => {
  test('a banner names its master, and a query reads each from the other', async () => {
    const lineItem = await makeLineItem({ companionMode: 'ALL' });
    const film = await makeCreative(lineItem.id, FILM);
    const banner = await makeCreative(lineItem.id, { ...BANNER, masterCreativeId: film.id });
    expect(banner.warnings).toEqual([]);
    const { creative } = await api.data<{ creative: object }>(
      '{ creative(id: "ID") { masterCreative { id } companions { nodes { id masterCreativeId } } lineItem { companionMode } } }'.replace(
        'ID',
        film.id,
      ),
    );
    expect(creative).toEqual({
      masterCreative: null,
      companions: { nodes: [{ id: banner.id, masterCreativeId: film.id }] },
      lineItem: { companionMode: 'ALL' },
    });
    const { creatives } = await api.data<{ creatives: { nodes: object[] } }>(
      `{ creatives(filter: {masterCreativeIds: ["${film.id}"]}) { nodes { id } } }`,
    );
    expect(creatives.nodes).toEqual([{ id: banner.id }]);
  });

  test('only a banner of the same line item can be a companion, and its master is not one itself', async () => {
    const lineItem = await makeLineItem({ companionMode: 'OPTIONAL' });
    const other = await makeLineItem({ companionMode: 'OPTIONAL' });
    const film = await makeCreative(lineItem.id, FILM);
    const banner = await makeCreative(lineItem.id, { ...BANNER, masterCreativeId: film.id });
    const tries: [object, string, string][] = [
      [{ lineItemId: lineItem.id, ...FILM, masterCreativeId: film.id }, 'input.content', 'not_allowed'],
      [{ lineItemId: other.id, ...BANNER, masterCreativeId: film.id }, 'input.masterCreativeId', 'other_line_item'],
      [{ lineItemId: lineItem.id, ...BANNER, masterCreativeId: banner.id }, 'input.masterCreativeId', 'is_companion'],
      [{ lineItemId: lineItem.id, ...BANNER, masterCreativeId: '987654' }, 'input.masterCreativeId', 'unknown'],
    ];
    for (const [input, path, code] of tries)
      expect(await problemsOf(CREATE, { input: { name: 'C', ...input } })).toMatchObject([{ path, code }]);
  });

  test('a companion of a line item that shows none gets a warning, and so does a line item without its required companions', async () => {
    const lineItem = await makeLineItem({});
    expect(lineItem.warnings).toEqual([]);
    const film = await makeCreative(lineItem.id, FILM);
    const banner = await makeCreative(lineItem.id, { ...BANNER, masterCreativeId: film.id });
    expect(banner.warnings).toMatchObject([{ path: 'input.masterCreativeId', code: 'companions_unused' }]);
    const wanting = await makeLineItem({ companionMode: 'ALL' });
    expect(wanting.warnings).toMatchObject([{ path: 'input.companionMode', code: 'no_companions' }]);
    const update =
      'mutation ($id: ID!, $input: UpdateLineItemInput!) { updateLineItem(id: $id, input: $input) { warnings { path code } } }';
    const warned = async (input: object) =>
      (await api.data<{ updateLineItem: { warnings: object[] } }>(update, { id: lineItem.id, input })).updateLineItem
        .warnings;
    expect(await warned({ name: 'M' })).toEqual([{ path: 'input.companionMode', code: 'companions_unused' }]);
    expect(await warned({ companionMode: 'AT_LEAST_ONE' })).toEqual([]);
  });

  test('a roadblock has no companions', async () => {
    const input = { campaignId, name: 'L', type: 'HOUSE', roadblock: 'ALL', companionMode: 'OPTIONAL' };
    expect(
      await problemsOf('mutation ($input: CreateLineItemInput!) { createLineItem(input: $input) { validatedOnly } }', {
        input,
      }),
    ).toMatchObject([{ path: 'input.companionMode', code: 'not_allowed' }]);
  });

  test('many companions are created in one call, each with its own result', async () => {
    const lineItem = await makeLineItem({ companionMode: 'ALL' });
    const film = await makeCreative(lineItem.id, FILM);
    const inputs = [
      { lineItemId: lineItem.id, name: 'A', ...BANNER, masterCreativeId: film.id },
      { lineItemId: lineItem.id, name: 'B', ...FILM, masterCreativeId: film.id },
    ];
    const { createCreatives } = await api.data<{ createCreatives: { results: object[] } }>(
      'mutation ($inputs: [CreateCreativeInput!]!) { createCreatives(inputs: $inputs, mode: ROW_BY_ROW) { results { creative { masterCreativeId } problems { path code } } } }',
      { inputs },
    );
    expect(createCreatives.results).toMatchObject([
      { creative: { masterCreativeId: film.id } },
      { creative: null, problems: [{ path: 'inputs.1.content', code: 'not_allowed' }] },
    ]);
  });

  test('a copied campaign has its companions with the copied masters, and leaves out companions of an archived master', async () => {
    const advertiser = await make('Advertiser', { name: 'Copied' });
    const campaign = await make('Campaign', { advertiserId: advertiser.id, name: 'Copied' });
    const lineItem = await make('LineItem', {
      campaignId: campaign.id,
      name: 'L',
      type: 'HOUSE',
      companionMode: 'AT_LEAST_ONE',
    });
    const film = await makeCreative(lineItem.id, FILM);
    await makeCreative(lineItem.id, { ...BANNER, name: 'Beside', masterCreativeId: film.id });
    const gone = await makeCreative(lineItem.id, FILM);
    await makeCreative(lineItem.id, { ...BANNER, name: 'Beside gone', masterCreativeId: gone.id });
    await api.data(`mutation { archiveCreative(id: "${gone.id}") { validatedOnly } }`);
    const { copyCampaign } = await api.data<{
      copyCampaign: {
        creativeCount: number;
        campaign: { lineItems: { nodes: { companionMode: string; creatives: { nodes: object[] } }[] } };
      };
    }>(
      `mutation { copyCampaign(id: "${campaign.id}") { creativeCount campaign { lineItems { nodes { companionMode creatives { nodes { id name masterCreativeId } } } } } } }`,
    );
    const [copy] = copyCampaign.campaign.lineItems.nodes;
    const [master, companion] = (copy?.creatives.nodes ?? []) as {
      id: string;
      name: string;
      masterCreativeId: string | null;
    }[];
    expect([copyCampaign.creativeCount, copy?.companionMode, copy?.creatives.nodes.length]).toEqual([
      2,
      'AT_LEAST_ONE',
      2,
    ]);
    expect(master?.id).not.toBe(film.id);
    expect(companion).toMatchObject({ name: 'Beside', masterCreativeId: master?.id });
  });

  test('an import links companions to their masters in another workspace and leaves out companions of archived masters', async () => {
    const objects = await Array.fromAsync(exportConfiguration(api.contextFor('admin'), RESOURCES));
    const names = objects.map(({ input }) => input['name']);
    expect(names).toContain('Beside');
    expect(names).not.toContain('Beside gone');
    const lines = objects.map((object) => JSON.stringify(object));
    const engine = createEngine(managementSchema());
    const outcome = await importConfiguration(api.contextFor('stranger'), {
      engine,
      resources: RESOURCES,
      lines,
      dryRun: false,
    });
    expect(outcome).toMatchObject({ applied: true, problems: [] });
    const companionsOf = async (as: string) =>
      (
        await api.data<{ creatives: { nodes: { name: string; masterCreative: { name: string } | null }[] } }>(
          '{ creatives(first: 100) { nodes { name masterCreative { name status } } } }',
          undefined,
          { as },
        )
      ).creatives.nodes.filter(({ masterCreative }) => masterCreative !== null);
    const living = (await companionsOf('admin')).filter(({ name }) => name !== 'Beside gone');
    expect(await companionsOf('stranger')).toEqual(living);
    expect(living.length).toBeGreaterThan(2);
  });
});
