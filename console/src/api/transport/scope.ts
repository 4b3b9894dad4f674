/** The two worlds of a network; nothing but users is shared between them. */
export type Environment = 'production' | 'staging';

/** Which network and environment a request is about. */
export interface Scope {
  readonly networkId: string;
  readonly environment: Environment;
  /** Requests of one change of many objects: Activity shows them as one. Absent: each stands alone. */
  readonly changeSet?: string;
}

/** The scope of a change of several objects. @param count of one object: it stands alone */
export function asOneChange(scope: Scope, count: number): Scope {
  return count > 1 ? { ...scope, changeSet: newName() } : scope;
}

/** Without `randomUUID`, which pages have over TLS alone. */
function newName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(NAME_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

const NAME_BYTES = 12;

/** The start of every address of an environment. */
export function pathPrefix(environment: Environment): '' | '/staging' {
  return environment === 'staging' ? '/staging' : '';
}
