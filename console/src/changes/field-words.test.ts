import { afterEach, expect, test } from 'vitest';
import { AREA_NAMES } from '../messages/areas.ts';
import { loadAreas, speakIn } from '../messages/language.ts';
import { describeField, fieldName } from './field-words.ts';

afterEach(() => speakIn('en'));

test('fields and their values are named in the language of the person, and others as the API names them', async () => {
  await speakIn('de');
  await loadAreas(AREA_NAMES);
  expect(['reviewState', 'caps.clicksPerDay', 'ofALaterVersion'].map(fieldName)).toEqual([
    'Prüfung',
    'Klicks je Tag höchstens',
    'ofALaterVersion',
  ]);
  expect(describeField('status', 'PAUSED')).toBe('Pausiert');
  expect(describeField('type', 'HOUSE')).toBe('Eigenwerbung');
  expect(describeField('price', '6.00')).toBe('6.00');
  expect(describeField('status', 'OF_A_LATER_VERSION')).toBe('OF_A_LATER_VERSION');
});
