import type { Environment, Module, Permission } from './workspace.ts';

/**
 * Proof of who a session's person is. `again`: within the last minutes, after signing in. `signIn`: signing in itself was so
 * lately. `none`: neither.
 */
export type Verification = 'none' | 'signIn' | 'again';

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
  /** How lately the person behind a session proved who they are; keys and pairs have none. */
  readonly verification?: Verification;
  /** Client address after trusted proxies. */
  readonly remoteAddress: string;
  /** The agent that acts with the key, as it names itself in the header `Placard-Agent`. */
  readonly agent?: string;
}
