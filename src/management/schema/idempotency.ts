import { createHash } from 'node:crypto';
import { type DocumentNode, print } from 'graphql';
import { canonicalJson } from '../../access/audit/audit-chain.ts';
import { PlacardError } from '../../domain/errors.ts';
import { flushAudits } from '../kernel/transactions.sql.ts';
import type { ManagementContext } from '../kernel/context.ts';
import { refuseRequest } from '../kernel/error-format.ts';
import { findAnswer, forgetAnswers, keepAnswer, tryLockKey } from './idempotency.sql.ts';

/** How long an answer is kept for its key, in milliseconds (conformance G6). */
export const ANSWER_KEPT_MS = 24 * 3_600_000;
/** Outdated answers that one request clears away at most. */
const FORGET_MAX = 100;
/** Mutations whose answer holds a secret, which must not be stored. */
const SHOWN_ONCE = ['createApiKey', 'rotateApiKey', 'createHeaderCredential'];
const KEY = /^[\x21-\x7e]{1,255}$/;

/** One operation about to run. */
export interface Execution {
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly variables: unknown;
  readonly isMutation: boolean;
  readonly rootFields: ReadonlySet<string>;
}

/** The engine's answer, as far as this file looks at it. */
export interface ExecutionAnswer {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Undoes the transaction of a request that failed, carrying its answer out. */
class AnswerWithErrors extends Error {
  readonly answer: ExecutionAnswer;

  constructor(answer: ExecutionAnswer) {
    super('The request had errors.');
    this.answer = answer;
  }
}

/**
 * Runs a mutation with an idempotency key as *one* transaction that also keeps the answer: a crash at any point leaves either both
 * or nothing. Asked again within 24 h, the kept answer is given. One error anywhere undoes the whole request, and the key stays
 * free. Refuses with `idempotency_conflict` when the key was used with other arguments, or its first use is still running.
 */
export async function executeOnce(
  context: ManagementContext,
  key: string | null,
  execution: Execution,
  execute: () => Promise<ExecutionAnswer>,
): Promise<ExecutionAnswer> {
  if (key === null || !execution.isMutation) return execute();
  const refusal = refusalOf(key, execution.rootFields);
  if (refusal !== null)
    return { errors: [refuseRequest(new PlacardError('invalid_request', refusal), context.requestId)] };
  try {
    return await context.sql.transaction().execute(async (trx) => {
      const { workspaceId } = context.principal;
      const requestHash = hashExecution(execution);
      if (!(await tryLockKey(trx, workspaceId, key))) throw stillRunning();
      const now = context.nowMs();
      const known = await findAnswer(trx, workspaceId, key, new Date(now - ANSWER_KEPT_MS));
      if (known !== undefined) return replay(known.answer, known.requestHash.equals(requestHash));
      context.transaction = trx;
      context.audits = [];
      const answer = await execute();
      if (answer.errors !== undefined && answer.errors.length > 0) throw new AnswerWithErrors(answer);
      await keepAnswer(trx, workspaceId, { key, requestHash, answer: { data: answer.data }, at: new Date(now) });
      await forgetAnswers(trx, new Date(now - ANSWER_KEPT_MS), FORGET_MAX);
      await flushAudits(trx, context.audits, now);
      return answer;
    });
  } catch (error) {
    if (error instanceof AnswerWithErrors) return { ...error.answer, data: null };
    if (error instanceof PlacardError) return { errors: [refuseRequest(error, context.requestId)] };
    throw error;
  } finally {
    context.transaction = null;
  }
}

function refusalOf(key: string, rootFields: ReadonlySet<string>): string | null {
  if (!KEY.test(key)) return 'Idempotency-Key takes 1 to 255 printable ASCII characters without spaces.';
  const secret = SHOWN_ONCE.find((name) => rootFields.has(name));
  if (secret === undefined) return null;
  return `${secret} shows a secret once, and no answer with a secret is kept: send it without Idempotency-Key.`;
}

function replay(answer: unknown, same: boolean): ExecutionAnswer {
  if (!same) {
    throw new PlacardError(
      'idempotency_conflict',
      'This Idempotency-Key was used with another request; take a new key.',
    );
  }
  return { ...(answer as ExecutionAnswer), extensions: { idempotency: { replayed: true } } };
}

function stillRunning(): PlacardError {
  return new PlacardError(
    'idempotency_conflict',
    'The first request with this Idempotency-Key is still running; ask again shortly.',
  );
}

/** The same document, operation and variables give the same hash, however they are laid out. */
function hashExecution(execution: Execution): Buffer {
  const { document, operationName, variables } = execution;
  return createHash('sha256')
    .update(canonicalJson([print(document), operationName, variables ?? {}]))
    .digest();
}
