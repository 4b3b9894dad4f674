/** The two worlds of a network; nothing but users is shared between them. */
export type Environment = 'production' | 'staging';

/** Which network and environment a request is about. */
export interface Scope {
  readonly networkId: string;
  readonly environment: Environment;
}

/** The start of every address of an environment. */
export function pathPrefix(environment: Environment): '' | '/staging' {
  return environment === 'staging' ? '/staging' : '';
}
