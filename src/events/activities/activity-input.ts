import { PlacardError } from '../../domain/errors.ts';
import type { FieldProblem } from '../../domain/errors.ts';
import type { ProblemCode } from '../../domain/problem-codes.ts';
import { beginsWithDay } from '../../domain/time/calendar.ts';
import { inNfc } from '../../domain/text/one-form.ts';
import { parseMicros } from '../../domain/money/money.ts';
import type { Micros } from '../../domain/money/money.ts';

/** One activity event as sent, checked (interface specification, "Activity pixel event"; conformance P1–P3). */
export interface ActivityInput {
  readonly network: string;
  readonly actgid: string;
  readonly event: string;
  readonly costMicros: Micros;
  /** Order reference; null when there is none. */
  readonly ord: string | null;
  readonly lu: string | null;
  readonly aid: string | null;
  /** The impression id of the click that led here. */
  readonly clickId: string | null;
  readonly itemCount: number;
  readonly taxMicros: Micros;
  /** ISO 4217; null = the network's. */
  readonly currency: string | null;
  /** The array as JSON text; '' = none. */
  readonly products: string;
  readonly npa: boolean;
  /** When it happened; null = now. */
  readonly timeMs: number | null;
}

/** Longest texts, in characters. */
export const NETWORK_CHARS_MAX = 20;
export const NAME_CHARS_MAX = 64;
export const REFERENCE_CHARS_MAX = 128;
export const USER_ID_CHARS_MAX = 256;
/** Most products of one event; as JSON they have at most `PRODUCTS_CHARS_MAX` characters. */
export const PRODUCTS_MAX = 100;
export const PRODUCTS_CHARS_MAX = 8_192;
/** Most items of one event. */
export const ITEM_COUNT_MAX = 1_000_000_000;
/** The impression id of a click: a ULID. */
export const CLICK_ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
/** An instant with its zone, ISO 8601. */
export const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]{5,18}(?:Z|[+-]\d{2}:?\d{2})$/;
/** An ISO 4217 code. */
export const CURRENCY = /^[A-Z]{3}$/;
/** How far `ts` may lie before and after the present. */
const BACKDATED_MS_MAX = 7 * 86_400_000;
const AHEAD_MS_MAX = 5 * 60_000;
/** The largest amount of micros that fits a signed 64-bit column. */
const MICROS_MAX = 9_000_000_000_000_000_000n;

/**
 * Checks the body of an activity event. Unknown members are left alone; optional ones that are null count as absent.
 * @throws PlacardError `invalid_request` when it is not an object, `validation_failed` naming every wrong field
 */
export function parseActivityInput(body: unknown, nowMs: number): ActivityInput {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new PlacardError('invalid_request', 'The body must be a JSON object with network, actgid and event.');
  }
  const fields = new FieldParser(body as Readonly<Record<string, unknown>>);
  const input: ActivityInput = {
    network: fields.network(),
    actgid: fields.requiredText('actgid', REFERENCE_CHARS_MAX),
    event: inNfc(fields.requiredText('event', NAME_CHARS_MAX)),
    costMicros: fields.amount('cost'),
    ord: fields.text('ord', REFERENCE_CHARS_MAX),
    lu: fields.text('lu', USER_ID_CHARS_MAX),
    aid: fields.text('aid', USER_ID_CHARS_MAX),
    clickId: fields.clickId(),
    itemCount: fields.itemCount(),
    taxMicros: fields.amount('tax'),
    currency: fields.currency(),
    products: fields.products(),
    npa: fields.flag('npa'),
    timeMs: fields.time('ts', nowMs),
  };
  fields.throwIfAny();
  return input;
}

class FieldParser {
  private readonly body: Readonly<Record<string, unknown>>;
  private readonly problems: FieldProblem[] = [];

  constructor(body: Readonly<Record<string, unknown>>) {
    this.body = body;
  }

  throwIfAny(): void {
    const [first] = this.problems;
    if (first === undefined) return;
    const message = this.problems.map((one) => `${one.path}: ${one.message}`).join(' ');
    throw new PlacardError('validation_failed', message, { fields: this.problems });
  }

  network(): string {
    const value = this.body['network'];
    return typeof value === 'number' && Number.isSafeInteger(value)
      ? String(value)
      : this.requiredText('network', NETWORK_CHARS_MAX);
  }

  requiredText(path: string, charsMax: number): string {
    const value = this.text(path, charsMax);
    if (value === null && !this.problems.some((one) => one.path === path))
      this.report(path, 'required', 'is required.');
    return value ?? '';
  }

  /** Null when absent or empty. */
  text(path: string, charsMax: number): string | null {
    const value = this.body[path] ?? null;
    if (value === null || value === '') return null;
    if (typeof value !== 'string') return this.report(path, 'not_text', 'must be text.');
    if (value.length > charsMax) return this.report(path, 'too_long', `must have at most ${charsMax} characters.`);
    // oxlint-disable-next-line no-control-regex -- the pattern looks for control characters
    if (/[\u0000-\u001f\u007f]/.test(value))
      return this.report(path, 'control_characters', 'must hold no control characters.');
    return value;
  }

  amount(path: string): Micros {
    const value = this.body[path] ?? null;
    if (value === null) return 0n;
    if (typeof value !== 'string') {
      this.report(path, 'not_decimal', 'must be a decimal amount as text, such as "12.50".');
      return 0n;
    }
    try {
      const micros = parseMicros(value, path);
      if (micros < 0n) this.report(path, 'negative', 'must not be negative.');
      if (micros > MICROS_MAX) this.report(path, 'too_large', 'is too large.');
      return micros;
    } catch (error) {
      if (!(error instanceof PlacardError)) throw error;
      const code = error.details['bound'] === undefined ? 'not_decimal' : 'too_large';
      this.report(path, code, error.message.replace(`${path} `, ''));
      return 0n;
    }
  }

  clickId(): string | null {
    const value = this.text('clickId', REFERENCE_CHARS_MAX);
    if (value === null || CLICK_ID.test(value)) return value;
    return this.report('clickId', 'not_click_id', 'must be the impression id of a click (26 characters).');
  }

  itemCount(): number {
    const value = this.body['qty'] ?? 1;
    const count = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
    if (typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= ITEM_COUNT_MAX) return count;
    this.report('qty', 'not_count', `must be a whole number from 0 to ${ITEM_COUNT_MAX}.`);
    return 0;
  }

  currency(): string | null {
    const value = this.text('currency', 3);
    if (value === null || CURRENCY.test(value)) return value;
    return this.report('currency', 'not_currency', 'must be an ISO 4217 code such as "EUR".');
  }

  products(): string {
    const value = this.body['products'] ?? null;
    if (value === null) return '';
    const products: readonly unknown[] | null = Array.isArray(value) ? value : null;
    const text = products !== null && products.length <= PRODUCTS_MAX ? JSON.stringify(products) : null;
    if (text !== null && text.length <= PRODUCTS_CHARS_MAX) return products?.length === 0 ? '' : text;
    this.report(
      'products',
      'not_products',
      `must be an array of at most ${PRODUCTS_MAX} products (${PRODUCTS_CHARS_MAX} characters).`,
    );
    return '';
  }

  flag(path: string): boolean {
    const value = this.body[path] ?? false;
    if (value === 1 || value === '1' || value === 'true') return true;
    if (value === 0 || value === '0' || value === 'false' || value === '') return false;
    if (typeof value === 'boolean') return value;
    this.report(path, 'not_boolean', 'must be true or false.');
    // An unreadable value counts as an opt-out; the request fails anyway.
    return true;
  }

  time(path: string, nowMs: number): number | null {
    const value = this.body[path] ?? null;
    if (value === null || value === '') return null;
    const timeMs = readInstant(value);
    if (timeMs === null)
      return this.report(path, 'not_instant', 'must be epoch milliseconds or an ISO 8601 instant with a zone.');
    if (timeMs < nowMs - BACKDATED_MS_MAX) return this.report(path, 'too_old', 'must not be more than 7 days ago.');
    if (timeMs > nowMs + AHEAD_MS_MAX) return this.report(path, 'in_future', 'must not lie in the future.');
    return Math.min(timeMs, nowMs);
  }

  private report(path: string, code: ProblemCode, message: string): null {
    this.problems.push({ path, code, message });
    return null;
  }
}

function readInstant(value: unknown): number | null {
  const digits = typeof value === 'string' && /^\d{13}$/.test(value) ? Number(value) : value;
  if (typeof digits === 'number') return Number.isSafeInteger(digits) ? digits : null;
  if (typeof value !== 'string' || !INSTANT.test(value) || !beginsWithDay(value)) return null;
  const timeMs = Date.parse(value);
  return Number.isNaN(timeMs) ? null : timeMs;
}
