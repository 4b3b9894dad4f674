import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { ToolError } from './call-api.ts';

/** How long a proposal can be confirmed. */
const VALID_MS = 10 * 60_000;
/** Tells proposals of the same change apart. */
const NONCE_BYTES = 12;

/**
 * Tokens that tie a confirmation to what was proposed: to exactly this change, by this caller, for ten minutes. They hold no state, so that any
 * core can check what another one issued.
 */
export class Confirmations {
  readonly #key: Buffer;
  readonly #nowMs: () => number;

  /** @param secret shared by all processes that may check the tokens */
  constructor(secret: Buffer, nowMs: () => number) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'placard mcp confirmation', 32));
    this.#nowMs = nowMs;
  }

  issue(change: object, caller: string): { readonly token: string; readonly expiresAt: string } {
    const untilMs = this.#nowMs() + VALID_MS;
    const lead = `${untilMs}.${randomBytes(NONCE_BYTES).toString('base64url')}`;
    return {
      token: `${lead}.${this.#sign(lead, change, caller).toString('base64url')}`,
      expiresAt: new Date(untilMs).toISOString(),
    };
  }

  /** @throws ToolError for a token of another change or caller, and for one that is too old */
  check(token: string, change: object, caller: string): void {
    const match = /^((\d{1,15})\.[\w-]{16})\.([\w-]{43})$/.exec(token);
    const untilMs = Number(match?.[2] ?? 0);
    const given = Buffer.from(match?.[3] ?? '', 'base64url');
    const expected = this.#sign(match?.[1] ?? '', change, caller);
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new ToolError(
        'The confirmation token does not belong to this change. Send the change exactly as propose_change returned it, or propose it again.',
      );
    if (this.#nowMs() >= untilMs) throw new ToolError('The proposal has expired. Propose the change again.');
  }

  #sign(lead: string, change: object, caller: string): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([lead, caller, canonical(change)]))
      .digest();
  }
}

/** The same value for the same JSON, whatever the order of its keys. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, canonical(inner)]);
}
