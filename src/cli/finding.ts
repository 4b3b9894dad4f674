/** The result of one check of `placard doctor`. */
export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly message: string;
  /** The remedy; null when none is needed. */
  readonly advice: string | null;
}

/** Nothing to do. */
export function findOk(name: string, message: string): Finding {
  return { name, state: 'ok', message, advice: null };
}

/** It works now, and may not later. */
export function findWarning(name: string, message: string, advice: string): Finding {
  return { name, state: 'warning', message, advice };
}

/** It does not work. */
export function findFailure(name: string, message: string, advice: string): Finding {
  return { name, state: 'failed', message, advice };
}

/** The message of any thrown value. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describeError).join('; ');
  return error instanceof Error ? error.message : String(error);
}
