import { expect, test } from 'vitest';
import { parseInstant } from './access-session.ts';

test.each([
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31T12:00+01:00', '2027-01-31T11:00:00.000Z'],
])('%s is an instant, whatever the zone of the machine is', (text, instant) => {
  expect(parseInstant(text)?.toISOString()).toBe(instant);
});

test.each(['2027-02-30', '2027-02-30T00:00Z', '02/03/2027', '2027-01-31T12:00', '90', 'soon'])(
  'an expiry of %j is refused rather than guessed',
  (text) => {
    expect(() => parseInstant(text)).toThrow('a day such as 2027-01-31');
  },
);
