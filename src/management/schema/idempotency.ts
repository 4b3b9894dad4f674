import { createHash } from 'node:crypto';
import { type DocumentNode, print, visit } from 'graphql';
import { canonicalJson } from '../../access/audit/audit-chain.ts';
import { PlacardError } from '../../domain/errors.ts';
import { runBeforeCommit } from '../kernel/before-commit.ts';
import { flushAudits } from '../kernel/transactions.sql.ts';
import { type ApiVersion, DEFAULT_VERSION } from '../kernel/api-version.ts';
import type { ManagementContext } from '../kernel/context.ts';
import { refuseRequest } from '../kernel/error-format.ts';
import { findOutcome, deleteOutcomes, recordOutcome, tryLockKey } from './idempotency.sql.ts';

/** How long the outcome of a key is retained, in milliseconds (conformance G6). */
export const OUTCOME_RETENTION_MS = 24 * 3_600_000;
/** The longest outcome that is stored, in characters of JSON. */
export const OUTCOME_CHARS_MAX = 1_000_000;
/** The most outdated outcomes that one request deletes. */
const DELETE_MAX = 100;
/** Mutations whose response holds a secret, which must not be stored. */
export const SHOWN_ONCE: readonly string[] = [
  'createApiKey',
  'rotateApiKey',
  'createHeaderCredential',
  'createWebhook',
  'updateWebhook',
  'shareCampaignReport',
];
/** The secrets that other mutations show when they are selected. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set(['webhookSecret']);
const KEY = /^[\x21-\x7e]{1,255}$/;

/** One operation that is about to run. */
export interface Execution {
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly variables: unknown;
  readonly isMutation: boolean;
  readonly rootFields: ReadonlySet<string>;
  readonly version: ApiVersion;
}

/** The engine's result, as far as this file uses it. */
export interface ExecutionOutcome {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Undoes the transaction of a request that failed, and carries its outcome out. */
class OutcomeWithErrors extends Error {
  readonly outcome: ExecutionOutcome;

  constructor(outcome: ExecutionOutcome) {
    super('The request had errors.');
    this.outcome = outcome;
  }
}

/**
 * Runs a mutation with an idempotency key as *one* transaction that also records its outcome: a crash at any point leaves either both
 * or nothing. A repetition within 24 hours returns the recorded outcome. One error anywhere undoes the whole request, and the key
 * stays free. Refuses with `idempotency_conflict` when the key was used with other arguments, or its first use is still running.
 */
export async function executeOnce(
  context: ManagementContext,
  key: string | null,
  execution: Execution,
  execute: () => Promise<ExecutionOutcome>,
): Promise<ExecutionOutcome> {
  if (key === null || !execution.isMutation) return execute();
  const refusal = refusalOf(key, execution);
  if (refusal !== null)
    return { errors: [refuseRequest(new PlacardError('invalid_request', refusal), context.requestId)] };
  try {
    return await context.sql.transaction().execute(async (trx) => {
      const { workspaceId } = context.principal;
      const requestHash = hashExecution(execution);
      if (!(await tryLockKey(trx, workspaceId, key))) throw stillRunning();
      const now = context.nowMs();
      const known = await findOutcome(trx, workspaceId, key, new Date(now - OUTCOME_RETENTION_MS));
      if (known !== undefined) return replay(known.outcome, known.requestHash.equals(requestHash));
      context.transaction = trx;
      context.audits = [];
      const outcome = await execute();
      if (outcome.errors !== undefined && outcome.errors.length > 0) throw new OutcomeWithErrors(outcome);
      if (context.refusals.length > 0) throw new OutcomeWithErrors(refusedOutcome(context, outcome));
      if (JSON.stringify(outcome.data).length > OUTCOME_CHARS_MAX) throw outcomeTooLong();
      await recordOutcome(trx, workspaceId, { key, requestHash, outcome: { data: outcome.data }, at: new Date(now) });
      await deleteOutcomes(trx, new Date(now - OUTCOME_RETENTION_MS), DELETE_MAX);
      await runBeforeCommit(context, trx, context.audits);
      await flushAudits(context, trx, context.audits);
      return outcome;
    });
  } catch (error) {
    // A request that did not begin to run, as for a wrong variable, has no data.
    if (error instanceof OutcomeWithErrors)
      return error.outcome.errors === undefined || error.outcome.data === undefined
        ? error.outcome
        : { ...error.outcome, data: null };
    if (error instanceof PlacardError) return { errors: [refuseRequest(error, context.requestId)] };
    throw error;
  } finally {
    context.transaction = null;
  }
}

/** Everything is undone. What other mutations of the request show did not happen, so that only a single one keeps its payload. */
function refusedOutcome({ refusals }: ManagementContext, outcome: ExecutionOutcome): ExecutionOutcome {
  return Object.keys(outcome.data ?? {}).length === 1 ? outcome : { ...outcome, errors: refusals };
}

function refusalOf(key: string, { rootFields, document }: Execution): string | null {
  if (!KEY.test(key)) return 'Idempotency-Key takes 1 to 255 printable ASCII characters without spaces.';
  const secret = SHOWN_ONCE.find((name) => rootFields.has(name)) ?? findSecretField(document);
  if (secret === null) return null;
  return `${secret} shows a secret once, and a response with a secret is never stored: send it without Idempotency-Key.`;
}

function findSecretField(document: DocumentNode): string | null {
  let found: string | null = null;
  visit(document, {
    Field: ({ name }) => {
      if (SECRET_FIELDS.has(name.value)) found = name.value;
    },
  });
  return found;
}

function replay(outcome: unknown, same: boolean): ExecutionOutcome {
  if (!same) {
    throw new PlacardError(
      'idempotency_conflict',
      'This Idempotency-Key was used with another request; take a new key.',
    );
  }
  return { ...(outcome as ExecutionOutcome), extensions: { idempotency: { replayed: true } } };
}

function stillRunning(): PlacardError {
  return new PlacardError(
    'idempotency_conflict',
    'The first request with this Idempotency-Key is still running; ask again shortly.',
  );
}

function outcomeTooLong(): PlacardError {
  return new PlacardError(
    'query_too_complex',
    `Nothing was changed: with an Idempotency-Key, a response has at most ${OUTCOME_CHARS_MAX} characters. Select less.`,
    { details: { limitName: 'response characters', limit: OUTCOME_CHARS_MAX } },
  );
}

/** The same document, operation and variables give the same hash, whatever their layout. */
function hashExecution(execution: Execution): Buffer {
  const { document, operationName, variables } = execution;
  // Nothing for the default, so that outcomes of earlier programs are found.
  const version = execution.version === DEFAULT_VERSION ? [] : [execution.version.name];
  return createHash('sha256')
    .update(canonicalJson([print(document), operationName, variables ?? {}, ...version]))
    .digest();
}
