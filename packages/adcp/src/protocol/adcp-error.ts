/** Whether an agent may try again, must change the request, or needs a person. */
type Recovery = 'transient' | 'correctable' | 'terminal';

/** Error codes of the protocol that this seller sends, with the recovery that the protocol gives each. */
const RECOVERIES = {
  INVALID_REQUEST: 'correctable',
  VALIDATION_ERROR: 'correctable',
  AUTH_REQUIRED: 'correctable',
  PERMISSION_DENIED: 'correctable',
  READ_ONLY_SCOPE: 'correctable',
  RATE_LIMITED: 'transient',
  SERVICE_UNAVAILABLE: 'transient',
  VERSION_UNSUPPORTED: 'correctable',
  UNSUPPORTED_FEATURE: 'correctable',
  UNSUPPORTED_PROVISIONING: 'correctable',
  ACCOUNT_NOT_FOUND: 'terminal',
  ACCOUNT_AMBIGUOUS: 'correctable',
  ACCOUNT_SUSPENDED: 'terminal',
  BILLING_NOT_SUPPORTED: 'correctable',
  PRODUCT_NOT_FOUND: 'correctable',
  PRODUCT_UNAVAILABLE: 'correctable',
  BUDGET_TOO_LOW: 'correctable',
  BUDGET_EXCEEDED: 'correctable',
  TERMS_REJECTED: 'correctable',
  PROPOSAL_NOT_FOUND: 'correctable',
  MEDIA_BUY_NOT_FOUND: 'correctable',
  PACKAGE_NOT_FOUND: 'correctable',
  CREATIVE_NOT_FOUND: 'correctable',
  CREATIVE_REJECTED: 'correctable',
  INVALID_STATE: 'correctable',
  NOT_CANCELLABLE: 'correctable',
  REQUOTE_REQUIRED: 'correctable',
  CONFLICT: 'transient',
  IDEMPOTENCY_CONFLICT: 'correctable',
  IDEMPOTENCY_IN_FLIGHT: 'transient',
  REFERENCE_NOT_FOUND: 'correctable',
} as const satisfies Readonly<Record<string, Recovery>>;

export type AdcpErrorCode = keyof typeof RECOVERIES;

/** One field of a request that the seller refuses. */
export interface Issue {
  /** RFC 6901, such as `/packages/0/budget`. */
  readonly pointer: string;
  readonly message: string;
  /** The keyword of JSON Schema that refuses it, such as `required`. */
  readonly keyword: string;
}

interface ErrorParts {
  /** Such as `packages[0].budget`. */
  readonly field?: string;
  readonly suggestion?: string;
  /** Seconds, 1…3600. */
  readonly retryAfter?: number;
  readonly issues?: readonly Issue[];
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An error that the buyer's agent reads: a code of the protocol, a sentence, and what to do. */
export class AdcpError extends Error {
  readonly code: AdcpErrorCode;
  readonly parts: ErrorParts;

  constructor(code: AdcpErrorCode, message: string, parts: ErrorParts = {}) {
    super(message);
    this.name = 'AdcpError';
    this.code = code;
    this.parts = parts;
  }
}

/** An error as `core/error.json` of the protocol has it. */
export function renderError({ code, message, parts }: AdcpError): Record<string, unknown> {
  const { field, suggestion, retryAfter, issues, details } = parts;
  return {
    code,
    message,
    recovery: RECOVERIES[code],
    ...(field === undefined ? {} : { field }),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    ...(issues === undefined ? {} : { issues }),
    ...(details === undefined ? {} : { details }),
  };
}
