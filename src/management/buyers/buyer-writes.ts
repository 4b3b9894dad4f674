import type { FieldProblem } from '../../domain/errors.ts';

type Input = Readonly<Record<string, unknown>>;

const MADE = ['name', 'content', 'clickUrl', 'trackers', 'width', 'height', 'externalId', 'attributes', 'language'];

/** What a buyer may give of each kind. Terms of line items come from bookings alone. */
const WRITABLE: Readonly<Record<string, readonly string[]>> = {
  Campaign: ['advertiserId', 'name', 'status', 'startsAt', 'endsAt', 'externalId', 'orderNumber', 'caps'],
  LineItem: ['name', 'status', 'externalId', 'creativeRotation'],
  Creative: [
    ...MADE,
    'lineItemId',
    'libraryCreativeId',
    'masterCreativeId',
    'status',
    'secure',
    'weight',
    'startsAt',
    'endsAt',
  ],
  LibraryCreative: [...MADE, 'advertiserId', 'status', 'secure'],
};

const REVIEWED_TYPES: readonly string[] = ['Creative', 'LibraryCreative'];
/** What a reviewer looks at. */
const REVIEWED = ['content', 'clickUrl', 'trackers', 'width', 'height'];

/** What a buyer must not give for an object of a type. */
export function buyerProblems(type: string, input: Input): FieldProblem[] {
  const writable = WRITABLE[type] ?? [];
  return Object.keys(input)
    .filter((name) => input[name] !== undefined && !writable.includes(name))
    .map((name) => problemAt(name, `The key of a buyer does not set ${name}; leave it out.`));
}

/** What is wrong with the status that a buyer gives a new object. */
export function newStatusProblems(type: string, { status }: Input): FieldProblem[] {
  if (type !== 'Campaign' || status === undefined || status === 'DRAFT' || status === 'ACTIVE') return [];
  return [problemAt('status', 'A new campaign is DRAFT or ACTIVE.')];
}

/**
 * The input with the review that follows from it: what a buyer makes or changes waits for its review, whether or not the network reviews
 * other creatives. An association has the review of its library creative.
 */
export function withBuyerReview(type: string, input: Input, isNew: boolean): Input {
  if (!REVIEWED_TYPES.includes(type) || (input['libraryCreativeId'] ?? null) !== null) return input;
  const isReviewed = isNew || REVIEWED.some((name) => input[name] !== undefined);
  return isReviewed ? { ...input, reviewState: 'PENDING' } : input;
}

/** Whether a buyer's change of a kind depends on the status that the object has. */
export function hasBuyerStatus(type: string, input: Input): boolean {
  return input['status'] !== undefined && (type === 'LineItem' || type === 'Campaign');
}

/**
 * What is wrong with a buyer's change of a status. It pauses what runs, and starts only what it changed last itself: what a member of the network
 * stopped stays stopped.
 * @param actor the caller, as `updated_by` names it
 */
export function statusProblems(type: string, row: Input, { status }: Input, actor: string): FieldProblem[] {
  const message = statusProblem(type, row, status, actor);
  return message === null ? [] : [problemAt('status', message)];
}

function statusProblem(type: string, row: Input, wanted: unknown, actor: string): string | null {
  const present = row['status'];
  if (present === wanted) return null;
  if (wanted === 'PAUSED') return pauseProblem(type, row);
  if (wanted === 'ARCHIVED') return present === 'DRAFT' ? null : 'A buyer withdraws only a DRAFT; pause it instead.';
  if (wanted !== 'ACTIVE') return 'The key of a buyer sets ACTIVE, PAUSED and, of a DRAFT, ARCHIVED.';
  if (row['updated_by'] !== actor) return 'A member of the network changed it last and has to start it.';
  if (present !== 'PAUSED' && present !== 'DRAFT') return 'A member of the network has to start it.';
  if (type !== 'LineItem' || present === 'PAUSED' || row['type'] === 'PRICE') return null;
  return 'A guaranteed booking is started by a member of the network, who approves it.';
}

/** A draft begins paused, so that it is never live for a moment; a guaranteed one would be started by its buyer then. */
function pauseProblem(type: string, { status, type: tier }: Input): string | null {
  if (status === 'ACTIVE') return null;
  const mayBegin = type === 'Campaign' || tier === 'PRICE';
  return status === 'DRAFT' && mayBegin ? null : 'Only what is ACTIVE can be paused.';
}

function problemAt(field: string, message: string): FieldProblem {
  return { path: `input.${field}`, code: 'not_allowed', message };
}
