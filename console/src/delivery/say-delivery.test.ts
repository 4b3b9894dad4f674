import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { buildSchema, type GraphQLEnumType } from 'graphql';
import { afterEach, describe, expect, test } from 'vitest';
import type { DeliveryText } from '../api/bookings/delivery-text.ts';
import { readTexts } from '../messages/all-texts.ts';
import { AREA_NAMES } from '../messages/areas.ts';
import { loadAreas, speakIn } from '../messages/language.ts';
import { LANGUAGE_CODES } from '../messages/languages.ts';
import { sayDelivery, sayReason, sayRemarks } from './say-delivery.ts';

const MOMENT = { currency: 'EUR', timezone: 'Europe/Warsaw' };
const SCHEMA = buildSchema(
  readFileSync(fileURLToPath(new URL('../../../contract/schema.graphql', import.meta.url)), 'utf8'),
);
const enumOf = (name: string) => SCHEMA.getType(name) as GraphQLEnumType;
const CODES = enumOf('DeliveryTextCode').getValues();

afterEach(() => speakIn('en'));

/** A text with values: a number is a count, a pair is a kind with its value. */
function text(code: string, values: Readonly<Record<string, number | readonly [string, string]>> = {}): DeliveryText {
  return {
    code,
    values: Object.entries(values).map(([name, value]) =>
      typeof value === 'number'
        ? { name, kind: 'COUNT', value: String(value) }
        : { name, kind: value[0], value: value[1] },
    ),
  };
}

async function sayIn(language: 'en' | 'pl' | 'de', ...texts: readonly DeliveryText[]): Promise<string> {
  await speakIn(language);
  await loadAreas(AREA_NAMES);
  return sayDelivery({ sentence: 'The sentence of the server.', texts }, MOMENT).replaceAll(/[\u00a0\u202f]/g, ' ');
}

const SEEN = { opportunities: 12_345, hours: 24, inReach: 301, won: 0, percent: ['PERCENT', '0'] } as const;
const RIVAL = { name: ['NAME', 'Dear'], type: ['CONSTANT', 'SPONSORSHIP'], level: 8, bid: ['MONEY', '9.5'] } as const;

describe('a diagnosis', () => {
  const lost = [
    text('SEEN', SEEN),
    text('MOST_LOST'),
    text('BECAUSE_FLOOR_AD_UNIT', { asked: ['MONEY', '6'] }),
    text('RIVAL', RIVAL),
    text('ALONE', { opportunities: 1_500 }),
  ];

  test('German says the cause, with its numbers, money and plurals as Germans write them', async () => {
    expect(await sayIn('de', ...lost)).toBe(
      'Von etwa 12.345 Gelegenheiten der letzten 24 Stunden passen 301 zu ihrer Buchung, und sie hat 0 genutzt (0 %). ' +
        'Die meisten anderen gingen verloren: Ihr Preis liegt unter dem Mindestpreis des Anzeigenblocks (6,00 €). ' +
        'Am häufigsten gewann Dear (Sponsoring, Stufe 8, TKP 9,50 €). Allein deshalb gingen 1.500 Gelegenheiten verloren.',
    );
  });

  test('Polish says it with the plural of few and of many', async () => {
    expect(await sayIn('pl', text('ALONE', { opportunities: 2 }))).toBe('Tylko przez to przepadły 2 okazje.');
    expect(await sayIn('pl', text('ALONE', { opportunities: 5 }))).toBe('Tylko przez to przepadło 5 okazji.');
    expect(await sayIn('pl', ...lost)).toContain('ponieważ jego cena jest poniżej ceny minimalnej');
  });

  test('English says it as before', async () => {
    expect(await sayIn('en', ...lost)).toContain('Most others were lost because its price is below the floor');
  });

  test('a status of a parent agrees with its kind', async () => {
    const paused = (object: string) =>
      text('BECAUSE_PARENT_STATUS', { object: ['TERM', object], status: ['CONSTANT', 'PAUSED'] });
    expect(await sayIn('de', text('CANNOT_SERVE'), paused('CAMPAIGN'))).toBe(
      'Sie kann jetzt nicht ausgeliefert werden: Ihre Kampagne ist pausiert.',
    );
    expect(await sayIn('pl', text('CANNOT_SERVE'), paused('CAMPAIGN'))).toContain('jego kampania jest wstrzymana.');
    expect(await sayIn('pl', text('CANNOT_SERVE'), paused('ADVERTISER'))).toContain('reklamodawca jest wstrzymany.');
  });

  test('an instant is that of the time zone of the network', async () => {
    const ended = text('BECAUSE_FLIGHT_OVER', { at: ['INSTANT', '2026-11-20T23:30:00Z'] });
    expect(await sayIn('de', ended)).toBe('Ihre Laufzeit endete am 21.11.2026, 00:30.');
  });

  test('a dimension of targeting has a name', async () => {
    const country = text('DROP_DIMENSION', { dimension: ['DIMENSION', 'COUNTRY'] });
    expect(await sayIn('de', country)).toBe('„Land“ aus ihrem Targeting entfernen oder die Werte erweitern.');
  });
});

test('a code that the console does not know falls back to the sentence of the server', async () => {
  expect(await sayIn('de', text('SEEN', SEEN), text('BECAUSE_OF_A_LATER_VERSION'))).toBe('The sentence of the server.');
  await speakIn('de');
  expect(sayDelivery({ sentence: 'As the server says.', texts: [null] }, MOMENT)).toBe('As the server says.');
  expect(sayDelivery({ sentence: 'As the server says.', texts: [] }, MOMENT)).toBe('As the server says.');
});

test('remarks are said each by its own text, and one without a text as the server says it', async () => {
  const remarks = [text('FORECAST_LITTLE_TRAFFIC', { requests: 1 }), text('OF_A_LATER_VERSION')];
  await speakIn('de');
  expect(sayRemarks({ notes: ['One.', 'Two.', 'Three.'], remarks }, MOMENT)).toEqual([
    'Noch kommen zu wenige Anfragen: Die Stichprobe hat 1 Anfrage.',
    'Two.',
    'Three.',
  ]);
});

test('a reason of outcomes is said by its longest known family, each failed test for itself', async () => {
  await speakIn('de');
  await loadAreas(AREA_NAMES);
  expect(sayReason('floor.ad_unit')).toBe('Ihr Preis liegt unter dem Mindestpreis des Anzeigenblocks');
  expect(sayReason('targeting.deviceType+size')).toBe(
    'Die Anfrage passt nicht zu ihrem Targeting (Gerät); Sie hat kein aktives Werbemittel in einer passenden Größe',
  );
  expect(sayReason('capped.line_item.clicks_per_day')).toBe('Eine Obergrenze ist erreicht');
  expect(sayReason('?')).toBe('?');
});

function namesOf(pattern: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (elements: readonly MessageFormatElement[]): void => {
    for (const element of elements) {
      if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
      names.add(element.value);
      if (element.type === TYPE.select || element.type === TYPE.plural)
        for (const { value } of Object.values(element.options)) visit(value);
    }
  };
  visit(parse(pattern, { ignoreTag: true }));
  return names;
}

describe.each(LANGUAGE_CODES)('the catalogue in %s', (language) => {
  test('every text of the API is there, and names only values that the API gives', async () => {
    const texts = await readTexts(language);
    const faults = CODES.flatMap(({ name: code, description }) => {
      const pattern = texts.get(`delivery_text.${code}`);
      if (pattern === undefined) return [`${code} is missing`];
      const given = new Set([...(description ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
      const used = [...namesOf(pattern)].map((name) => (given.has(name) ? name : name.replace(/Count$/, '')));
      return [
        ...used.filter((name) => !given.has(name)).map((name) => `${code} lacks ${name}`),
        ...[...given].filter((name) => !used.includes(name)).map((name) => `${code} leaves out ${name}`),
      ];
    });
    expect(faults).toEqual([]);
  });

  test('every dimension of targeting has a name, and no text is left that the API has no code for', async () => {
    const texts = await readTexts(language);
    const named = (prefix: string) =>
      [...texts.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    const dimensions = enumOf('TargetingDimension').getValues();
    expect(named('delivery_dimension.').toSorted()).toEqual(dimensions.map(({ name }) => name).toSorted());
    expect(named('delivery_text.').toSorted()).toEqual(CODES.map(({ name }) => name).toSorted());
  });
});
