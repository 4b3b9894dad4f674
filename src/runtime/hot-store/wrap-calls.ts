import type { HotStore } from '../../storage/hot/hot-store.ts';

/** A method of the store, bound to it. */
export type HotCall = (...args: unknown[]) => unknown;

/** The same store with other methods. `wrap` is asked once for each method, at its first use. */
export function wrapCalls(hot: HotStore, wrap: (name: string | symbol, call: HotCall) => HotCall): HotStore {
  const wrapped = new Map<string | symbol, HotCall>();
  return new Proxy(hot, {
    get(target, name) {
      const known = wrapped.get(name);
      if (known !== undefined) return known;
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      const call = wrap(name, (member as HotCall).bind(target));
      wrapped.set(name, call);
      return call;
    },
  });
}
