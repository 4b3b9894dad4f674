import type { GraphQLResolveInfo } from 'graphql';
import { ERROR_CODES, type ErrorCode, ERRORS } from '../../domain/error-codes.ts';
import { PlacardError } from '../../domain/errors.ts';
import { PROBLEM_CODES, type ProblemCode } from '../../domain/problem-codes.ts';
import { builder } from './builder.ts';
import type { ManagementContext } from './context.ts';
import { selectsField } from './selected-fields.ts';

/** Whose mistake an error is: the input of a mutation (`user`), or the request, its credentials, limits, or the service. */
const KINDS: Readonly<Record<ErrorCode, 'user' | 'request'>> = {
  https_required: 'request',
  authentication_required: 'request',
  invalid_credentials: 'request',
  insufficient_permissions: 'request',
  ip_not_allowed: 'request',
  csrf_refused: 'request',
  verification_required: 'request',
  rate_limit_exceeded: 'request',
  invalid_request: 'user',
  validation_failed: 'user',
  not_acceptable: 'request',
  not_found: 'user',
  unknown_ad_unit: 'user',
  unknown_activity: 'user',
  unknown_network: 'user',
  method_not_allowed: 'request',
  request_timeout: 'request',
  payload_too_large: 'request',
  unsupported_media_type: 'request',
  conflict: 'user',
  idempotency_conflict: 'request',
  network_suspended: 'request',
  query_too_complex: 'request',
  quota_exceeded: 'user',
  disk_space_low: 'request',
  report_space_used_up: 'user',
  gone: 'user',
  range_not_satisfiable: 'request',
  query_timeout: 'request',
  overloaded: 'request',
  unavailable: 'request',
  internal_error: 'request',
};

/** The code of a mistake in an input. */
export type UserErrorCode = ProblemCode | ErrorCode;

/** One mistake in the input of a mutation. */
export interface UserError {
  readonly code: UserErrorCode;
  /** Where it is in the arguments; null: the mutation as a whole. */
  readonly field: string | null;
  readonly message: string;
}

const codes = {
  ...Object.fromEntries(
    ERROR_CODES.filter((code) => KINDS[code] === 'user').map((code) => [code, ERRORS[code].meaning]),
  ),
  ...PROBLEM_CODES,
};

/** The codes of mistakes as the schema writes them. */
export const UserErrorCodeRef = builder.enumType('UserErrorCode', {
  description: 'What is wrong with an input. Later versions may add codes.',
  values: Object.fromEntries(
    Object.entries(codes)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([code, description]) => [code.toUpperCase(), { value: code as UserErrorCode, description }]),
  ) as Record<string, { value: UserErrorCode; description: string }>,
});

/** One mistake in the input of a mutation, in every payload. */
export const UserErrorRef = builder.objectRef<UserError>('UserError').implement({
  description: 'One mistake in the input of a mutation.',
  fields: (t) => ({
    code: t.field({ type: UserErrorCodeRef, description: 'What is wrong.', resolve: ({ code }) => code }),
    field: t.exposeString('field', {
      nullable: true,
      description:
        'Where it is in the arguments, such as `input.frequencyCaps.0.count`; null: the mutation as a whole.',
    }),
    message: t.exposeString('message', { description: 'What to do about it.' }),
  }),
});

/** The name of the field that shows the mistakes of a mutation. */
export const USER_ERRORS = 'userErrors';

/** Whether an error is a mistake in the input of a mutation; others concern the request as a whole. */
export function isUserError(error: unknown): error is PlacardError {
  return error instanceof PlacardError && KINDS[error.code] === 'user';
}

/** The mistakes that an error tells of: each wrong field, or the error itself when it names none. */
export function userErrorsOf({ code, message, fields }: PlacardError): UserError[] {
  if (fields.length === 0) return [{ code, field: null, message }];
  return fields.map((problem) => ({ code: problem.code, field: problem.path, message: problem.message }));
}

/**
 * Runs a mutation. A mistake in its input becomes the payload that `refused` makes, where the caller reads `userErrors`; for all others it
 * is an error of the response, as it has always been.
 */
export async function withUserErrors<Payload>(
  context: ManagementContext,
  info: GraphQLResolveInfo,
  run: () => Promise<Payload>,
  refused: (userErrors: readonly UserError[], error: PlacardError) => Payload,
): Promise<Payload> {
  try {
    return await run();
  } catch (error) {
    if (!isUserError(error)) throw error;
    if (!context.version.alwaysUserErrors && !selectsField(info, USER_ERRORS)) throw error;
    context.refusals.push(error);
    context.loaders.clear();
    return refused(userErrorsOf(error), error);
  }
}

/** The payload of a mutation that was refused, where the payload has members that are never null. */
export class RefusedPayload {
  readonly error: PlacardError;
  readonly userErrors: readonly UserError[];

  constructor(userErrors: readonly UserError[], error: PlacardError) {
    this.userErrors = userErrors;
    this.error = error;
  }
}

/** What a mutation made. Members that are never null throw the error, so that a caller who selects them sees it as ever. */
export function madeBy<Made extends object>(payload: Made | RefusedPayload): Made {
  if (payload instanceof RefusedPayload) throw payload.error;
  return payload;
}

/** Runs a mutation whose payload has members that are never null. */
export function orRefused<Made extends object>(
  context: ManagementContext,
  info: GraphQLResolveInfo,
  run: () => Promise<Made>,
): Promise<Made | RefusedPayload> {
  return withUserErrors<Made | RefusedPayload>(
    context,
    info,
    run,
    (userErrors, error) => new RefusedPayload(userErrors, error),
  );
}
