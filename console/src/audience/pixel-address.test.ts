import { expect, test } from 'vitest';
import { writePixel } from './pixel-address.ts';

test('the tag of an activity names its network and escapes its id', () => {
  const scope = { networkId: '1000', environment: 'production' } as const;
  expect(writePixel('https://ads.example', scope, 'a.b:c')).toBe(
    '<img src="https://ads.example/1000/activity?actgid=a.b%3Ac&amp;event=purchased&amp;cost=AMOUNT&amp;ord=ORDER&amp;clickId=CLICK_ID" width="1" height="1" alt="">',
  );
});

test('an activity of staging has an address of its own', () => {
  const scope = { networkId: '1000', environment: 'staging' } as const;
  expect(writePixel('https://ads.example', scope, 'buy')).toContain('https://ads.example/staging/1000/activity?');
});
