import { beforeAll, expect, test } from 'vitest';
import type { DeliveryTextCode } from '../api/bookings/delivery-text.ts';
import { loadAreas } from '../messages/language.ts';
import { sayCause } from './say-cause.ts';

const NO_MOMENT = { currency: undefined, timezone: undefined };
const text = (code: DeliveryTextCode) => ({ code, values: [] });

beforeAll(() => loadAreas(['delivery', 'desk']));

test('the cause stands without the figures around it', () => {
  const texts = [text('GOAL'), text('SEEN'), text('MOST_LOST'), text('BECAUSE_LOST_PRICE'), text('ALONE')];
  expect(sayCause({ sentence: 'All of it.', texts }, NO_MOMENT)).toBe(
    'Most opportunities were lost because others paid more.',
  );
});

test('a diagnosis of figures alone names no cause', () => {
  const texts = [text('GOAL_EXPECTED'), text('SEEN'), text('DELIVERING')];
  expect(sayCause({ sentence: 'All of it.', texts }, NO_MOMENT)).toBeNull();
});
