import { createHash, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '../secrets/secret-text.ts';

/** How long the link of a start works. */
export const START_LINK_MS = 3_600_000;
const digest = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * A link that signs an account in once, for the person at the terminal of a start. It lives in the memory of the core that printed it, and
 * ends with that core, with its use, or after an hour.
 */
export class StartLink {
  readonly #nowMs: () => number;
  #open: { readonly digest: Buffer; readonly email: string; readonly untilMs: number } | null = null;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Makes the address that signs `email` in; an earlier one stops working. The token follows the #, which browsers do not send. */
  make(baseUrl: string, email: string): string {
    const token = randomBase62(43);
    this.#open = { digest: digest(token), email, untilMs: this.#nowMs() + START_LINK_MS };
    return `${baseUrl}/sign-in#${token}`;
  }

  /** Uses the link up. @returns the address of the account; null for a token that is wrong, used or too old */
  redeem(token: string): string | null {
    const open = this.#open;
    if (open === null || !timingSafeEqual(open.digest, digest(token))) return null;
    this.#open = null;
    return this.#nowMs() < open.untilMs ? open.email : null;
  }
}
