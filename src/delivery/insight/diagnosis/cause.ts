import type { DeliveryText } from '../../../domain/booking/delivery-text.ts';

/** What keeps a line item from serving, as a test of `failed-tests.ts` or a state of bookings. */
export interface Cause {
  /** A code such as `paused.campaign`, `size`, `lost.price`; compared by its dotted families. */
  readonly code: string;
  /** What the request asked for, or the object that is concerned; '' = nothing more is known. */
  readonly detail: string;
  /** A reason that says more than that of the code; absent: the text of the code. */
  readonly text?: DeliveryText;
  /** Of a limit that is reached: what is counted, as a multiple of the limit. */
  readonly usedTimes?: number;
}

/** A failed test as a cause: what stands behind its colon is the detail. */
export function toCause(test: string): Cause {
  const at = test.indexOf(':');
  return at < 0 ? { code: test, detail: '' } : { code: test.slice(0, at), detail: test.slice(at + 1) };
}
