/** Advertisers, creatives, inventory and audiences as ad operations keep them, in a real browser against a whole server. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBarriers } from './support/barriers.ts';
import { openChromium } from './support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn, waitUntilQuiet } from './support/console-session.ts';
import { openPlacard, type PlacardServer } from './support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;
let session: ConsoleSession;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  session = await openSession(browser, placard);
  await signIn(session, placard.demo.account);
});

afterAll(async () => {
  await browser.close();
  await placard.close();
});

async function graphql<T>(query: string, variables?: object): Promise<T> {
  const response = await placard.client.send(`${placard.coreUrl}/graphql`, {
    headers: { authorization: `Bearer ${placard.demo.keys.admin}` },
    json: { query, variables },
  });
  const body = response.json<{ data?: T; errors?: unknown }>();
  if (body.data === undefined || body.errors !== undefined) throw new Error(response.text);
  return body.data;
}

describe('the catalogue', () => {
  test('a site and an ad unit are made by keyboard, with all faults at their fields at once', async () => {
    const { page } = session;
    await session.open('/desk/sites');
    await page.getByRole('button', { name: 'New' }).click();
    const panel = page.getByRole('dialog', { name: 'New site' });
    await panel.getByRole('textbox', { name: 'Name' }).fill('Gardening');
    await panel.getByRole('textbox', { name: 'Domain' }).fill('not a domain');
    await page.keyboard.press('Enter');
    await panel
      .getByText(/domain/i)
      .first()
      .waitFor();
    await expect.poll(() => panel.locator('[aria-invalid="true"]').count()).toBe(2);
    await savePicture(page, 'catalog-faults');
    expect(await findBarriers(page)).toEqual([]);
    await panel.getByRole('textbox', { name: 'Code' }).fill('gardening');
    await panel.getByRole('textbox', { name: 'Domain' }).fill('gardening.example');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Gardening' }).waitFor();
    await page.getByRole('link', { name: 'Ad units of this site' }).click();
    await page.waitForURL(/ad-units\?.*site=\d+/);
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.getByRole('button', { name: 'New' }).click();
    const unit = page.getByRole('dialog', { name: 'New ad unit' });
    await unit.getByRole('textbox', { name: 'Name' }).fill('Shed top');
    await unit.getByRole('combobox', { name: 'Site' }).click();
    await page.keyboard.type('Garden');
    await page.getByRole('option', { name: 'Gardening' }).click();
    await unit.getByRole('textbox', { name: 'Sizes' }).fill('300x250, 728x90');
    await unit.getByRole('textbox', { name: 'Floor (CPM)' }).fill('0,75');
    await unit.getByRole('textbox', { name: 'Floor (CPM)' }).press('Enter');
    await page.getByRole('dialog', { name: 'Shed top' }).waitFor();
    await savePicture(page, 'catalog-panel');
    const { adUnits } = await graphql<{ adUnits: { nodes: unknown[] } }>(
      '{ adUnits(filter: { names: ["Shed top"] }) { nodes { floor sizes { width height } site { name } } } }',
    );
    expect(adUnits.nodes).toEqual([
      {
        floor: '0.75',
        sizes: [
          { width: 300, height: 250 },
          { width: 728, height: 90 },
        ],
        site: { name: 'Gardening' },
      },
    ]);
    expect(session.problems).toEqual([]);
  });

  test('a panel overwrites no change that somebody else made meanwhile, and what was typed stays', async () => {
    const { page } = session;
    const made = await graphql<{ createAdvertiser: { advertiser: { id: string } } }>(
      'mutation { createAdvertiser(input: { name: "Two editors", domains: ["one.example"] }) { advertiser { id } } }',
    );
    const { id } = made.createAdvertiser.advertiser;
    await session.open('/desk/advertisers?q=editors');
    await page.getByRole('link', { name: 'Two editors' }).click();
    await page.waitForURL(new RegExp(`open=${id}`));
    const panel = page.getByRole('dialog', { name: 'Two editors' });
    await panel.getByRole('textbox', { name: 'Labels' }).fill('typed');
    await graphql(
      'mutation ($id: ID!) { updateAdvertiser(id: $id, input: { domains: ["two.example"] }) { advertiser { id } } }',
      {
        id,
      },
    );
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByRole('button', { name: 'Load the new version' }).click();
    await expect.poll(() => panel.getByRole('textbox', { name: 'Domains' }).inputValue()).toBe('two.example');
    expect(await panel.getByRole('textbox', { name: 'Labels' }).inputValue()).toBe('typed');
    await panel.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { advertiser } = await graphql<{ advertiser: object }>(
      'query ($id: ID!) { advertiser(id: $id) { domains labels } }',
      { id },
    );
    expect(advertiser).toEqual({ domains: ['two.example'], labels: ['typed'] });
  });

  test('creatives that await review are approved by a key after a preview, and put back', async () => {
    const { page } = session;
    const { creatives } = await graphql<{ creatives: { nodes: { id: string; name: string }[] } }>(
      '{ creatives(filter: { reviewStates: [APPROVED], statuses: [ACTIVE] }, first: 2) { nodes { id name } } }',
    );
    const ids = creatives.nodes.map(({ id }) => id);
    for (const id of ids)
      await graphql(
        'mutation ($id: ID!) { updateCreative(id: $id, input: { reviewState: PENDING }) { creative { id } } }',
        {
          id,
        },
      );
    const statesOf = async (): Promise<string[]> => {
      const found = await graphql<{ creatives: { nodes: { reviewState: string }[] } }>(
        'query ($ids: [ID!]) { creatives(filter: { ids: $ids }) { nodes { reviewState } } }',
        { ids },
      );
      return found.creatives.nodes.map(({ reviewState }) => reviewState);
    };
    // The demo has creatives of its own that await review.
    const { pending } = await graphql<{ pending: { totalCount: number } }>(
      '{ pending: creatives(filter: { reviewStates: [PENDING] }) { totalCount } }',
    );
    const count = pending.totalCount;
    await session.open('/desk/creatives?review=pending');
    await waitUntilQuiet(page);
    await page.getByRole('row').nth(1).focus();
    await page.keyboard.press('x');
    await page.getByRole('region', { name: '1 selected' }).waitFor();
    await page.getByRole('button', { name: `Select all ${count} that match` }).click();
    await page.getByRole('region', { name: `${count} selected` }).waitFor();
    await page.locator('body').click({ position: { x: 1, y: 1 } });
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog', { name: new RegExp(`^Approve: ${count} objects`) });
    await dialog.getByRole('row').nth(2).waitFor();
    await savePicture(page, 'catalog-review');
    expect(await statesOf()).toEqual(['PENDING', 'PENDING']);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByText(`Approve: ${count} done.`).waitFor();
    expect(await statesOf()).toEqual(['APPROVED', 'APPROVED']);
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
    await page.getByText(`Undone: ${count} as before.`).waitFor();
    expect(await statesOf()).toEqual(['PENDING', 'PENDING']);
    expect(session.problems).toEqual([]);
  });

  test('a creative is rejected by a key, with the reason for those who made it', async () => {
    const { page } = session;
    const { creatives } = await graphql<{ creatives: { nodes: { id: string }[] } }>(
      '{ creatives(filter: { reviewStates: [PENDING] }, first: 1) { nodes { id } } }',
    );
    const [first] = creatives.nodes;
    await session.open('/desk/creatives?review=pending');
    await waitUntilQuiet(page);
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check();
    await page.getByRole('region', { name: /selected/ }).waitFor();
    await page.locator('body').click({ position: { x: 1, y: 1 } });
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: /^Reject/ });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The logo is missing.');
    await savePicture(page, 'catalog-reject');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.getByText(/^Reject: \d+ done\.$/).waitFor();
    const { creative } = await graphql<{ creative: object }>(
      'query ($id: ID!) { creative(id: $id) { reviewState reviewReason } }',
      { id: first?.id },
    );
    expect(creative).toEqual({ reviewState: 'REJECTED', reviewReason: 'The logo is missing.' });
    expect(session.problems).toEqual([]);
  });

  interface DealFacts {
    readonly kind: string;
    readonly floor: string;
    readonly labels: readonly string[];
  }

  async function readDeals(): Promise<readonly DealFacts[]> {
    const found = await graphql<{ deals: { nodes: DealFacts[] } }>(
      '{ deals(filter: { search: "In place" }, sort: { field: ID }) { nodes { kind floor labels } } }',
    );
    return found.deals.nodes;
  }

  test('cells of deals are edited by keyboard, with the reason at a cell that is refused, and undone', async () => {
    const { page } = session;
    for (const name of ['one', 'two'])
      await graphql('mutation ($input: CreateDealInput!) { createDeal(input: $input) { deal { id } } }', {
        input: { name: `In place ${name}`, code: `in-place-${name}`, floor: '1', fixedPrice: '5', seats: ['s7'] },
      });
    await session.open('/desk/deals?q=In%20place&sort=id');
    await page.getByRole('row', { name: /In place one/ }).focus();
    await page.keyboard.press('e');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    const alert = page.locator('.desk-fault-text');
    await alert.waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await alert.waitFor({ state: 'detached' });
    await page
      .getByRole('row', { name: /In place one/ })
      .getByText('Private auction')
      .dblclick();
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Programmatic guaranteed');
    await page.keyboard.press('Tab');
    await page.keyboard.type('x');
    await page.keyboard.press('Enter');
    await alert.filter({ hasText: 'Enter an amount, such as 1.50.' }).waitFor();
    await savePicture(page, 'catalog-cell-fault');
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('F2');
    await page.keyboard.type('2,5');
    await page.keyboard.press('Enter');
    await page.getByText(/Floor \(CPM\) is saved/).waitFor();
    await expect.poll(readDeals).toMatchObject([{ kind: 'PROGRAMMATIC_GUARANTEED', floor: '2.5' }, { floor: '1' }]);
    await page.getByRole('button', { name: 'Undo the last change' }).click();
    await expect.poll(async () => (await readDeals())[0]?.floor).toBe('1');
    expect(session.problems).toEqual([]);
  });

  test('chosen deals get one value and other labels after a preview, and each is undone', async () => {
    const { page } = session;
    await session.open('/desk/deals?q=In%20place&sort=id');
    const begin = async () => {
      await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check();
      await page.getByRole('button', { name: 'Edit…' }).click();
      return page.getByRole('dialog', { name: 'Edit the selected objects (2)' });
    };
    const choose = async (name: string) => {
      await page.getByRole('combobox', { name: 'What to change' }).click();
      await page.getByRole('option', { name }).click();
    };
    const floor = await begin();
    await choose('Floor (CPM)');
    await floor.getByLabel('New value').fill('3');
    await savePicture(page, 'catalog-bulk-edit');
    expect(await findBarriers(page)).toEqual([]);
    await floor.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('dialog', { name: 'Floor (CPM): objects that change (2)' });
    await preview.getByRole('row', { name: /In place two.*1\.00.*→.*3\.00/ }).waitFor();
    await savePicture(page, 'catalog-bulk-preview');
    await preview.getByRole('button', { name: 'Change 2' }).click();
    await page.getByText('Changed: 2.').waitFor();
    expect((await readDeals()).map((deal) => deal.floor)).toEqual(['3', '3']);
    await page.getByRole('button', { name: 'Undo the last change' }).click();
    await expect.poll(async () => (await readDeals()).map((deal) => deal.floor)).toEqual(['1', '1']);
    const labels = await begin();
    await labels.getByRole('combobox', { name: 'What happens to them' }).click();
    await page.getByRole('option', { name: 'Replace all' }).click();
    await labels.getByLabel('Labels instead').fill('video');
    await page.keyboard.press('Enter');
    await labels.getByRole('button', { name: 'Preview' }).click();
    await page
      .getByRole('dialog', { name: /^Labels/ })
      .getByRole('button', { name: 'Change 2' })
      .click();
    await expect.poll(async () => (await readDeals()).map((deal) => deal.labels)).toEqual([['video'], ['video']]);
    await page.getByRole('button', { name: 'Undo the last change' }).click();
    await expect.poll(async () => (await readDeals()).map((deal) => deal.labels)).toEqual([[], []]);
    expect(session.problems).toEqual([]);
  });

  test('an event of an activity is tried without being counted, and its faults are named', async () => {
    const { page } = session;
    const { activities } = await graphql<{ activities: { nodes: { id: string }[] } }>(
      '{ activities(first: 1) { nodes { id } } }',
    );
    await session.open(`/desk/activities?open=${activities.nodes[0]?.id}`);
    const section = page.getByRole('region', { name: 'Try an event' });
    const event = section.getByRole('textbox', { name: 'Event' });
    await section.getByRole('button', { name: 'Try it' }).click();
    await section.getByText('It would be counted.').waitFor();
    await section.getByText('Credited to no ad: the event names no user and no click.').waitFor();
    await event.fill((await event.inputValue()).replace('49.90', 'much'));
    await event.press('Tab');
    await page.keyboard.press('Enter');
    await section.getByText('It would be refused.').waitFor();
    await section.getByText('cost', { exact: true }).waitFor();
    await savePicture(page, 'activity-try');
    expect(await findBarriers(page)).toEqual([]);
    await event.fill('{');
    await section.getByRole('button', { name: 'Try it' }).click();
    await section.getByText('This is not a JSON object.').waitFor();
    expect(session.problems).toEqual([]);
  });

  test('an activity that accepts pixels shows the tag of a page, which is counted', async () => {
    const { page } = session;
    const { createActivity } = await graphql<{ createActivity: { activity: { id: string } } }>(
      'mutation { createActivity(input: { actgid: "page-sale", name: "Sale of a page" }) { activity { id } } }',
    );
    await session.open(`/desk/activities?open=${createActivity.activity.id}`);
    await page.getByRole('region', { name: 'Try an event' }).waitFor();
    expect(await page.getByRole('region', { name: 'Page pixel' }).count()).toBe(0);
    await page.getByRole('combobox', { name: 'Pixel of pages' }).click();
    await page.getByRole('option', { name: 'Yes', exact: true }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const section = page.getByRole('region', { name: 'Page pixel' });
    const tag = section.getByText(/^<img src=/);
    await tag.waitFor();
    await section.scrollIntoViewIfNeeded();
    await savePicture(page, 'activity-pixel');
    expect(await findBarriers(page)).toEqual([]);
    const address = /src="([^"]+)"/.exec((await tag.textContent()) ?? '')?.[1]?.replaceAll('&amp;', '&') ?? '';
    const filled = address.replace('AMOUNT', '9.90').replace('ORDER', 'o-1').replace('CLICK_ID', '');
    const refused = async (): Promise<unknown> => (await placard.client.send(filled)).headers['x-placard-refused'];
    await expect.poll(refused).toBeUndefined();
    expect(session.problems).toEqual([]);
  });

  test('a segment shows its size over time, as a line and as a table', async () => {
    const { page } = session;
    await session.open('/desk/segments');
    await page.getByRole('link', { name: 'Football fans' }).click();
    const section = page.getByRole('region', { name: 'Size over time' }).first();
    await section.getByText(/members now, [\d,]+ (more|fewer) than 89 days ago\./).waitFor();
    await section.locator('svg').first().waitFor();
    await section.scrollIntoViewIfNeeded();
    await waitUntilQuiet(page);
    await savePicture(page, 'segment-size');
    await section.getByText('Numbers').click();
    expect(await section.getByRole('row').count()).toBe(91);
    await section.getByText('30 days', { exact: true }).click();
    await expect.poll(() => section.getByRole('row').count()).toBe(31);
    expect(await findBarriers(page)).toEqual([]);
    const phone = await openSession(browser, placard, { width: 360, height: 740, colorScheme: 'dark' });
    await signIn(phone, placard.demo.account);
    await phone.open(new URL(page.url()).pathname + new URL(page.url()).search);
    await phone.page.getByText(/members now/).waitFor();
    await phone.page.getByRole('region', { name: 'Size over time' }).first().scrollIntoViewIfNeeded();
    await waitUntilQuiet(phone.page);
    expect(await findBarriers(phone.page)).toEqual([]);
    await savePicture(phone.page, 'segment-size-phone');
    await phone.page.getByRole('group', { name: 'Condition 1' }).scrollIntoViewIfNeeded();
    await savePicture(phone.page, 'segment-rule-phone');
    expect([...session.problems, ...phone.problems]).toEqual([]);
    await phone.close();
  });

  test('a segment is made with a rule, whose faults are at their fields, and a changed rule is warned of before it is saved', async () => {
    const { page } = session;
    const ruleOf = async (name: string): Promise<unknown> => {
      const { segments } = await graphql<{ segments: { nodes: { rule: unknown }[] } }>(
        'query ($name: String!) { segments(filter: { search: $name }) { nodes { rule { any { keyValue { key values } activity { event } } } } } }',
        { name },
      );
      return segments.nodes[0]?.rule;
    };
    await graphql(
      'mutation { createKeyValue(input: { name: "Subject", key: "topic", values: ["ski", "skating"] }) { keyValue { id } } }',
    );
    await session.open('/desk/segments');
    await page.getByRole('button', { name: 'New' }).click();
    const making = page.getByRole('dialog', { name: 'New segment' });
    await making.getByRole('textbox', { name: 'Name' }).fill('Skiers');
    await making.getByRole('radio', { name: 'By upload, and by a rule' }).check();
    const first = making.getByRole('group', { name: 'Condition 1' });
    await making.getByRole('button', { name: 'Add a condition' }).click();
    const second = making.getByRole('group', { name: 'Condition 2' });
    await second.getByRole('combobox', { name: 'What' }).click();
    await page.getByRole('option', { name: 'Activity' }).click();
    await making.getByRole('button', { name: 'New' }).click();
    await making.getByText('2 fields need a change.').waitFor();
    await expect.poll(() => making.locator('[aria-invalid="true"]').count()).toBe(2);
    await savePicture(page, 'segment-rule-faults');
    expect(await findBarriers(page)).toEqual([]);
    // A key and a value that the network knows are proposed, and any others can be typed.
    await first.getByRole('combobox', { name: 'Key' }).fill('top');
    await page.getByRole('option', { name: 'topic' }).click();
    await first.getByRole('combobox', { name: 'Values' }).click();
    await page.getByRole('option', { name: 'skating' }).waitFor();
    await first.getByRole('combobox', { name: 'Values' }).fill('ski');
    await page.keyboard.press('Enter');
    await first.getByRole('combobox', { name: 'Key' }).fill('Topic');
    await second.getByRole('combobox', { name: 'Activity' }).click();
    await page.getByRole('option', { name: 'Demo purchase' }).click();
    await second.getByRole('textbox', { name: 'Event' }).fill('lead');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Skiers' });
    await panel
      .getByText(/^Users become members by a request with topic = ski or the event lead of the activity\.$/)
      .waitFor();
    expect(await ruleOf('Skiers')).toEqual({
      any: [
        { keyValue: { key: 'topic', values: ['ski'] }, activity: null },
        { keyValue: null, activity: { event: 'lead' } },
      ],
    });
    await panel.getByRole('button', { name: 'Remove condition 2' }).click();
    await panel.getByText(/^A changed rule starts with an empty segment/).waitFor();
    await waitUntilQuiet(page);
    await savePicture(page, 'segment-rule-changed');
    expect(await findBarriers(page)).toEqual([]);
    await panel.getByRole('radio', { name: 'By upload alone' }).check();
    await panel.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await ruleOf('Skiers')).toBeNull();
    await expect.poll(() => panel.getByText(/^A changed rule/).count()).toBe(0);
    expect(await panel.getByRole('textbox', { name: 'Name' }).count()).toBe(1);
    expect(session.problems).toEqual([]);
  });
});
