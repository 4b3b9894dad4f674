import type { z } from 'zod';

/** Where an operation is: the core server, the delivery server, or each of them. */
export type Origin = 'core' | 'delivery' | 'both';

/** Who may call: a bearer key, header credentials, either, or anybody. */
export type Opening = 'key' | 'credentials' | 'keyOrCredentials' | 'none';

/** A body: the schema's name for JSON, else its media type. */
export type Body = { readonly schema: string } | { readonly type: string };

/** A response that is not an error. */
export interface SuccessResponse {
  readonly means: string;
  /** Several: which one, the caller chooses (by `Accept` or a parameter). */
  readonly body?: Body | readonly Body[];
  /** Headers besides those of all responses: name → description. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One operation of the REST surface, as the API description has it. */
export interface Operation {
  readonly origin: Origin;
  readonly method: 'get' | 'post';
  /** Under the origin's base address; parameters in braces. */
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly details?: string;
  readonly opening: Opening;
  /** Query parameters, as a schema: the one that checks them where there is one. */
  readonly address?: z.ZodObject;
  /** Query parameters that have none: name → what it is; a name that ends in `!` is required. */
  readonly query?: Readonly<Record<string, string>>;
  /** Request headers that change the response: name → description. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly request?: Body;
  /** Status → meaning and body of a success. */
  readonly responses: Readonly<Record<number, SuccessResponse>>;
  /** Statuses of errors beside those that every operation of its kind has. */
  readonly errors: readonly number[];
  /** Not under `/staging`. */
  readonly once?: boolean;
  readonly deprecated?: boolean;
}

/** A JSON body. */
export const json = (schema: string): Body => ({ schema });
