/** A line item that delivers is broken in many ways; the console names each cause and mends it. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBarriers } from '../support/barriers.ts';
import { type AskOver, type Booked, Bookings } from '../support/bookings.ts';
import { openChromium } from '../support/chromium.ts';
import {
  type ConsoleSession,
  GERMAN_SIGN_IN,
  openSession,
  savePicture,
  signIn,
  signInWith,
  turnTo,
} from '../support/console-session.ts';
import { eventually, openPlacard, type PlacardServer } from '../support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;
let session: ConsoleSession;
let bookings: Bookings;
const booked = new Map<string, Booked>();
/** Tells the objects of this run from those of another one on the same server. */
const RUN = `b${Date.now().toString(36)}`;

/** The line item that is mended in German. */
const GERMAN = 'german';

beforeAll(async () => {
  placard = await openPlacard();
  bookings = new Bookings(placard);
  booked.set(GERMAN, await bookings.book(`${RUN}-${GERMAN}`));
  for (const { name, lineItem = {} } of BREAKS) booked.set(name, await bookings.book(`${RUN}-${name}`, lineItem));
  browser = await openChromium();
  session = await openSession(browser, placard);
  await signIn(session, placard.demo.account);
});

afterAll(async () => {
  await browser?.close();
  await placard?.close();
});

const DAY_MS = 86_400_000;
const daysFromNow = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** One way to break a line item that delivers. */
interface Break {
  readonly name: string;
  /** What it differs in from the usual booking before it is broken. */
  readonly lineItem?: object;
  readonly ask?: AskOver;
  readonly breakIt: (item: Booked) => Promise<void>;
  /** What the console says of the cause. */
  readonly says: RegExp;
  /** The sentence of the change; null: a person completes it on another page. */
  readonly change: RegExp | null;
}

const target = (further: object) => (item: Booked) =>
  bookings.update('LineItem', item.lineItem, {
    targeting: { all: [{ test: { dimension: 'SITE', values: [item.site] } }, { test: further }] },
  });

const BREAKS: readonly Break[] = [
  {
    name: 'paused',
    breakIt: ({ lineItem }) => bookings.update('LineItem', lineItem, { status: 'PAUSED' }),
    says: /because it is paused/,
    change: /Activate the line item/,
  },
  {
    name: 'campaign-paused',
    breakIt: ({ campaign }) => bookings.update('Campaign', campaign, { status: 'PAUSED' }),
    says: /because its campaign is paused/,
    change: /Activate the campaign/,
  },
  {
    name: 'ended',
    breakIt: ({ lineItem }) =>
      bookings.update('LineItem', lineItem, { startsAt: daysFromNow(-2), endsAt: daysFromNow(-1) }),
    says: /because its flight ended on/,
    change: /Move the end of the line item/,
  },
  {
    name: 'rejected',
    breakIt: ({ creative }) =>
      bookings.update('Creative', creative, { reviewState: 'REJECTED', reviewReason: 'The logo is missing.' }),
    says: /because its creatives were rejected/,
    change: /Approve the rejected creative/,
  },
  {
    name: 'pending',
    breakIt: ({ creative }) => bookings.update('Creative', creative, { reviewState: 'PENDING' }),
    says: /because its creatives wait for their review/,
    change: /Approve the creative/,
  },
  {
    name: 'size',
    breakIt: ({ creative }) => bookings.update('Creative', creative, { width: 728, height: 90 }),
    says: /no live creative of a size that fits \(468x60\)/,
    change: /Add a creative of the requested size/,
  },
  {
    name: 'country',
    breakIt: target({ dimension: 'COUNTRY', values: ['DE'] }),
    says: /does not match its targeting \(country\)/,
    change: /Drop “country” from its targeting/,
  },
  {
    name: 'key-value',
    breakIt: target({ dimension: 'KEY_VALUE', key: 'section', values: ['sport'] }),
    says: /does not match its targeting \(key-value “section”\)/,
    change: /Drop the key “section” from its targeting/,
  },
  {
    name: 'frequency',
    lineItem: { frequencyCaps: [{ count: 1, window: 'DAY' }] },
    breakIt: async (item) => expect(await bookings.show(item)).toBe(true),
    says: /users have reached its frequency caps/,
    change: /Double the frequency caps of the line item/,
  },
  {
    name: 'day-parts',
    breakIt: ({ lineItem }) =>
      bookings.update('LineItem', lineItem, {
        // A day that is far from now in every time zone.
        dayParts: [{ days: [((new Date().getUTCDay() + 3) % 7) + 1], startMinute: 0, endMinute: 60 }],
      }),
    says: /the time lies outside its day-parts/,
    change: /Drop its day-parts/,
  },
  {
    name: 'cap',
    breakIt: async (item) => {
      for (let shown = 0; shown < 5; shown += 1) expect(await bookings.show(item)).toBe(true);
      // A cap that is lowered is used several times over.
      await bookings.update('LineItem', item.lineItem, { caps: { impressionsLifetime: 1 } });
    },
    says: /the cap on impressions of the line item is reached \(5 of 1\)/,
    change: /Raise the lifetime cap on impressions of the line item to 6/,
  },
  {
    name: 'floor',
    breakIt: ({ unit }) => bookings.update('AdUnit', unit, { floor: '6.00' }),
    says: /its price is below the floor of the ad unit \(PLN.6\.00\)/,
    change: /Raise the price to PLN.6\.00/,
  },
  {
    name: 'category',
    ask: { root: { bcat: ['IAB7'] } },
    breakIt: ({ advertiser }) => bookings.update('Advertiser', advertiser, { categories: ['IAB7'] }),
    says: /the request blocks a category of its advertiser/,
    change: null,
  },
];
/** Those of which pictures are made, for people. */
const PICTURED = ['rejected', 'size', 'category'];

/** Kinds of a diagnosis that knows no obstacle yet. */
const NO_OBSTACLE: readonly string[] = ['DELIVERING', 'NO_TRAFFIC', 'NO_SAMPLE', 'BEHIND', 'UNKNOWN'];

/** Asks for ads until the diagnosis has an obstacle: the API tells it for a hundredth of the work of a page. */
async function untilDiagnosed(item: Booked, ask?: AskOver): Promise<void> {
  const query = 'query ($id: ID!) { lineItem(id: $id) { deliveryDiagnosis { cause } } }';
  await eventually(
    async () => {
      for (let request = 0; request < 5; request += 1) await bookings.ask(item, ask);
      const response = await placard.graphql(query, { id: item.lineItem });
      return response.json<{ data: { lineItem: { deliveryDiagnosis: { cause: string } } } }>().data.lineItem;
    },
    ({ deliveryDiagnosis }) => !NO_OBSTACLE.includes(deliveryDiagnosis.cause),
    120_000,
  );
}

/** Opens the page of a line item, again while requests come, until it says the cause. */
async function readCause(item: Booked, { says, ask }: Pick<Break, 'says' | 'ask'>, over = session): Promise<string> {
  await untilDiagnosed(item, ask);
  const section = over.page.locator('[aria-labelledby="diagnosis-title"]');
  return eventually(
    async () => {
      await bookings.ask(item, ask);
      await over.open(`/desk/line-items/${item.lineItem}?full=1`);
      return section.innerText();
    },
    (text) => says.test(text),
    120_000,
  );
}

async function makeChange(change: RegExp): Promise<void> {
  const { page } = session;
  const name = new RegExp(`^Make this change: ${change.source}`);
  await page.getByRole('button', { name }).click();
  const dialog = page.getByRole('dialog', { name: 'Make this change?' });
  await dialog.getByRole('button', { name: 'Make this change' }).click();
  await page.getByText('The change was made.').waitFor();
}

/** Follows the link to the advertiser, and removes its category. */
async function dropCategory({ name }: Booked): Promise<void> {
  const { page } = session;
  await page.getByRole('link', { name: 'Open the advertiser' }).click();
  const panel = page.getByRole('dialog', { name: `${name} company` });
  await panel.getByRole('textbox', { name: 'IAB categories' }).fill('');
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
}

describe('a line item that delivers is broken, and the console names the cause and mends it', () => {
  test.each(BREAKS.map((one) => [one.name, one] as const))('the cause is named and mended: %s', async (name, one) => {
    const item = booked.get(name);
    if (item === undefined) throw new Error(name);
    await bookings.untilServes(item, true, one.ask);
    await one.breakIt(item);
    await bookings.untilServes(item, false, one.ask);
    expect(await readCause(item, one)).toMatch(one.says);
    if (PICTURED.includes(name))
      for (const colorScheme of ['dark', 'light'] as const) {
        await turnTo(session.page, colorScheme);
        await savePicture(session.page, `diagnosis-${name}-${colorScheme}`);
        expect(await findBarriers(session.page)).toEqual([]);
      }
    await (one.change === null ? dropCategory(item) : makeChange(one.change));
    await bookings.untilServes(item, true, one.ask);
    expect(session.problems).toEqual([]);
  });
});

test('in German, the cause, its amounts and the change are German, and the change is made', async () => {
  const item = booked.get(GERMAN);
  if (item === undefined) throw new Error(GERMAN);
  await bookings.untilServes(item, true);
  await bookings.update('AdUnit', item.unit, { floor: '6.00' });
  await bookings.untilServes(item, false);
  const german = await openSession(browser, placard, { locale: 'de-DE' });
  await signInWith(german, placard.demo.account, GERMAN_SIGN_IN);
  const { page } = german;
  const found = await readCause(item, { says: /Mindestpreis des Anzeigenblocks/ }, german);
  expect(found).toMatch(/Die meisten anderen gingen verloren: Ihr Preis liegt unter .* \(6,00\s\S+\)\./);
  expect(found).not.toMatch(/because|Of about|Raise/);
  await savePicture(page, 'diagnosis-german');
  await page.getByRole('button', { name: /^Diese Änderung vornehmen: Den Preis auf 6,\d\d\s\S+ erhöhen\.$/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Diese Änderung vornehmen?' });
  await dialog.getByText(/^Den Preis auf 6,\d\d\s\S+ erhöhen\.$/).waitFor();
  await dialog.getByRole('rowheader', { name: 'Preis' }).waitFor();
  await savePicture(page, 'diagnosis-german-change');
  await dialog.getByRole('button', { name: 'Diese Änderung vornehmen' }).click();
  await page.getByText('Die Änderung ist vorgenommen.').waitFor();
  await bookings.untilServes(item, true);
  expect(german.problems).toEqual([]);
  await german.close();
});
