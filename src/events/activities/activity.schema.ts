/**
 * The API description of activity events. `parseActivityInput` checks them by hand: it accepts the forms in which
 * pages send the same thing by an address (numbers as texts, 1 for true), reads amounts exactly, and gives every wrong field a stable
 * code. The limits and patterns here come from that check, and a test compares the two.
 */
import { z } from 'zod';
import {
  CLICK_ID,
  CURRENCY,
  INSTANT,
  ITEM_COUNT_MAX,
  NAME_CHARS_MAX,
  NETWORK_CHARS_MAX,
  PRODUCTS_CHARS_MAX,
  PRODUCTS_MAX,
  REFERENCE_CHARS_MAX,
  USER_ID_CHARS_MAX,
} from './activity-input.ts';

/** Text without control characters. */
const plainText = (charsMin: number, charsMax: number) =>
  z.string().regex(new RegExp(`^[^\\u0000-\\u001f\\u007f]{${charsMin},${charsMax}}$`));
const decimal = z.string().regex(/^\d{1,12}(?:\.\d{1,6})?$/);

/** An activity event. */
export const ActivityEvent = z
  .looseObject({
    network: z
      .string()
      .regex(new RegExp(`^\\d{1,${NETWORK_CHARS_MAX}}$`))
      .describe('Network id, that of the key.'),
    actgid: plainText(1, REFERENCE_CHARS_MAX).describe('Activity pixel id.'),
    event: plainText(1, NAME_CHARS_MAX).describe('Event name, such as purchased.'),
    cost: decimal.describe('Decimal amount as text.').optional(),
    ord: plainText(0, REFERENCE_CHARS_MAX)
      .describe('Order reference: with it an event sent twice counts once.')
      .optional(),
    lu: plainText(0, USER_ID_CHARS_MAX).describe('User id of the page.').optional(),
    aid: plainText(0, USER_ID_CHARS_MAX).describe('Hashed account id.').optional(),
    clickId: z.string().regex(CLICK_ID).describe('Impression id of the click.').optional(),
    qty: z.int().min(0).max(ITEM_COUNT_MAX).optional(),
    tax: decimal.optional(),
    currency: z.string().regex(CURRENCY).describe('ISO 4217; default: that of the network.').optional(),
    npa: z.boolean().optional(),
    products: z
      .array(z.unknown())
      .max(PRODUCTS_MAX)
      .describe(`What was bought; at most ${PRODUCTS_CHARS_MAX} characters as JSON.`)
      .optional(),
    ts: z
      .union([z.int(), z.string().regex(INSTANT)])
      .describe('When it happened: epoch milliseconds, or ISO 8601 with a zone; at most 7 days ago.')
      .optional(),
  })
  .describe('Conversion or activity event.');

/** The result of recording an activity event. */
export const ActivityAnswer = z
  .looseObject({ eventId: z.string(), status: z.enum(['accepted', 'duplicate']) })
  .describe(
    '202 accepted: it is on disk, and is credited at once or when contacts can be read. 200 duplicate: its order reference was recorded before.',
  );
