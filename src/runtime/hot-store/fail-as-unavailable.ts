import { PlacardError } from '../../domain/errors.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { wrapCalls } from './wrap-calls.ts';

/**
 * The same store for requests of people and programs: a call that fails is `unavailable`, which they can repeat, instead of an internal
 * error. Decisions and events look at the failure itself, and do without this.
 */
export function failAsUnavailable(hot: HotStore): HotStore {
  return wrapCalls(hot, (_name, call) => (...args) => {
    const result = call(...args);
    return result instanceof Promise ? result.catch(rejectUnavailable) : result;
  });
}

function rejectUnavailable(cause: unknown): never {
  if (cause instanceof PlacardError) throw cause;
  throw new PlacardError('unavailable', 'The store of counters does not respond; try again shortly.', { cause });
}
