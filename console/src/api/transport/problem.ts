import { translationOf } from '../../messages/language.ts';
import { isMessageKey, say } from '../../messages/say.ts';

/** One invalid field of a request. */
export interface FieldProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** The same with its message in the person's language, where its code alone says enough. English stays that of the server, which says more. */
export function translateFault<Fault extends Omit<FieldProblem, 'path'>>(fault: Fault): Fault {
  const message = translationOf(`fault.${fault.code.toUpperCase()}`);
  return message === undefined ? fault : { ...fault, message };
}

/** An error response of any of our APIs. `status` 0: there was no response. */
export class ApiProblem extends Error {
  readonly code: string;
  readonly status: number;
  readonly fields: readonly FieldProblem[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** Whatever else the body of the error holds. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(facts: {
    code: string;
    message: string;
    status: number;
    fields?: readonly FieldProblem[];
    requestId?: string | null;
    retryAfterSeconds?: number | null;
    details?: Readonly<Record<string, unknown>>;
  }) {
    super(facts.message);
    this.name = 'ApiProblem';
    this.code = facts.code;
    this.status = facts.status;
    this.fields = (facts.fields ?? []).map(translateFault);
    this.requestId = facts.requestId ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
    this.details = facts.details ?? {};
  }
}

/** A sentence for people about any failure. */
export function describeProblem(error: unknown): string {
  if (!(error instanceof ApiProblem)) return say('error.unexpected');
  if (error.status === 0) return say('error.offline');
  const key = `error.${error.code}`;
  const sentence = isMessageKey(key) ? say(key, { seconds: error.retryAfterSeconds ?? 30 }) : sayRefusal(error);
  return error.requestId !== null && error.status >= 500
    ? `${sentence} ${say('error.request_id', { id: error.requestId })}`
    : sentence;
}

/** The message of the server; in other languages behind what its code means, because it says more. */
function sayRefusal({ code, message }: ApiProblem): string {
  const meaning = translationOf(`error_code.${code}`);
  return meaning === undefined ? message : `${meaning} (${message})`;
}

/** The fault of one field, by the end of its path (`name` finds `input.name` and `name[0]`); null when there is none. */
export function fieldMessage(error: unknown, name: string): string | null {
  if (!(error instanceof ApiProblem)) return null;
  const isOf = ({ path }: FieldProblem): boolean => {
    const list = path.replace(/(?:\[\d+\])+$/, '');
    return [path, list].some((one) => one === name || one.endsWith(`.${name}`));
  };
  return error.fields.find(isOf)?.message ?? null;
}

/** Whether the caller is not signed in (any more). */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401;
}

/** What is wrong with a field: a fault of the field itself, or of one of its members. */
export function problemOf(error: unknown, name: string): string | null {
  if (!(error instanceof ApiProblem)) return null;
  return error.fields.find(({ path }) => path.split(/[.[\]]/).includes(name))?.message ?? null;
}
