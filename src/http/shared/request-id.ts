import { randomBytes } from 'node:crypto';

const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Makes the source of request ids of one process: `next(inbound)` echoes a sane inbound id (1…128 of `[A-Za-z0-9._-]`), else
 * gives a new one, unique across processes (72 random bits a process, then a counter: no entropy is read per request).
 */
export function createRequestIds(processPrefix: string = randomBytes(9).toString('base64url')): {
  next(inbound: string | string[] | undefined): string;
} {
  let counter = 0;
  return {
    next(inbound) {
      if (typeof inbound === 'string' && SANE_REQUEST_ID.test(inbound)) return inbound;
      counter += 1;
      return `${processPrefix}.${counter.toString(36)}`;
    },
  };
}
