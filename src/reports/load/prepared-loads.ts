import { RecentCache } from '../../storage/recent-cache.ts';
import type { MemberIndex } from '../model/member-index.ts';
import { prepareLoad, type LoadContext, type PreparedLoad } from './load-query.ts';

const LOADS_MAX = 512;
/** Longer queries are prepared each time. */
const QUERY_CHARS_MAX = 8_192;
/** Relative dates are whole seconds at their finest. */
const REUSED_MS = 1_000;

/**
 * Requests that were read and compiled a moment ago. Preparing one costs more than sending a cached result, and the clients of a
 * dashboard ask the same. A request is prepared again in the next second, because relative dates and open time ranges follow the clock.
 */
export class PreparedLoads {
  readonly #loads = new RecentCache<string, { readonly second: number; readonly load: PreparedLoad }>(LOADS_MAX);
  readonly #numbers = new WeakMap<MemberIndex, number>();
  #indexes = 0;

  /** @throws PlacardError `invalid_request`: what is wrong with the query */
  prepare(
    index: MemberIndex,
    asked: { readonly query: unknown; readonly isMulti: boolean },
    context: LoadContext,
  ): PreparedLoad {
    const text = JSON.stringify(asked.query) as string | undefined;
    if (text === undefined || text.length > QUERY_CHARS_MAX) return prepareLoad(index, asked, context);
    const { tenant, timezoneDefault, limitDefault = 0, advertiserIds = null } = context;
    const bound = advertiserIds === null ? 'all' : JSON.stringify(advertiserIds);
    const scope = [tenant.workspaceId, tenant.networkId, this.#numberOf(index), asked.isMulti, limitDefault, bound];
    const key = `${scope.join(' ')} ${timezoneDefault} ${text}`;
    const second = Math.floor(context.nowMs / REUSED_MS);
    const known = this.#loads.get(key);
    if (known?.second === second) return known.load;
    const load = prepareLoad(index, asked, context);
    this.#loads.set(key, { second, load });
    return load;
  }

  #numberOf(index: MemberIndex): number {
    const known = this.#numbers.get(index);
    if (known !== undefined) return known;
    this.#indexes += 1;
    this.#numbers.set(index, this.#indexes);
    return this.#indexes;
  }
}
