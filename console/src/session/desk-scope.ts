import { useMemo } from 'react';
import type { Scope } from '../api/transport/scope.ts';
import { useNetwork, useScope } from './session.ts';
import { useNow } from '../ui/use-now.ts';

/** The key of everything that the desk has read in a scope: a change makes it all old. */
export function deskKey({ environment, networkId }: Scope): readonly string[] {
  return ['desk', environment, networkId];
}

/** The scope alone, the same object as long as it is the same. */
export function useDeskScope(): Scope {
  const { networkId, environment } = useScope();
  return useMemo(() => ({ networkId, environment }), [networkId, environment]);
}

/** Now, the network's time zone and its currency. */
export function useCellContext(): CellContext {
  const network = useNetwork();
  const nowMs = useNow();
  const { timezone, currency } = network ?? {};
  return useMemo(() => ({ nowMs, timezone, currency }), [nowMs, timezone, currency]);
}

/** When and where something is looked at. */
export interface DeskMoment {
  readonly nowMs: number;
  /** IANA name: the network's. */
  readonly timezone: string | undefined;
}

/** The context that cells are drawn in. */
export interface CellContext extends DeskMoment {
  readonly currency: string | undefined;
}
