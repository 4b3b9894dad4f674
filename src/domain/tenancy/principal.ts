import type { Environment, Module, Permission } from './workspace.ts';

/**
 * Proof of who a session's person is. `again`: within the last minutes, after signing in. `signIn`: signing in itself was so
 * lately. `none`: neither.
 */
export type Verification = 'none' | 'signIn' | 'again';

/** What a buyer's key is bound to. */
export interface BuyerScope {
  /** Decimal ids; the key sees and changes only what belongs to these advertisers. */
  readonly advertiserIds: readonly string[];
  /** The most that keys of buyers may have booked for these advertisers, in micros as decimal text; null: no limit. */
  readonly spendLimitMicros: string | null;
}

/** Who calls, once authenticated: a bearer key, a header-credential pair, or a signed-in user's session. */
export interface Principal {
  readonly kind: 'apiKey' | 'headerCredential' | 'session';
  /** Who the audit log names: `key:12 "CI"`, `credential:3 "bi"`, `user:7 ann@example.com`. */
  readonly actor: string;
  /** Decimal id of the key, pair or user. */
  readonly id: string;
  readonly workspaceId: number;
  readonly networkId: string;
  readonly environment: Environment;
  readonly permission: Permission;
  /** null = all modules. */
  readonly modules: readonly Module[] | null;
  /** Set for the key of a buyer; it may do the operations of buyers alone, whatever its modules. */
  readonly buyer?: BuyerScope;
  /** How lately the person behind a session proved who they are; keys and pairs have none. */
  readonly verification?: Verification;
  /** Client address after trusted proxies. */
  readonly remoteAddress: string;
  /** The agent that acts with the key, as it names itself in the header `Placard-Agent`. */
  readonly agent?: string;
}
