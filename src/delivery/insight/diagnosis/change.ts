import { textOf, termValue, type DeliveryText, type DeliveryTextCode } from '../../../domain/booking/delivery-text.ts';
import type { BookedState, CreativeState } from './booked-state.sql.ts';
import type { Cause } from './cause.ts';

/** What a change concerns, as the management API names its types. */
export type ChangedObject =
  | 'LineItem'
  | 'Campaign'
  | 'Advertiser'
  | 'Creative'
  | 'Deal'
  | 'Site'
  | 'Area'
  | 'AdUnit'
  | 'Segment'
  | 'Network';

/** A change of the bookings that removes a cause: the input of the mutation of its object. */
export interface Change {
  /** The sentence of it. */
  readonly text: DeliveryText;
  readonly object: ChangedObject;
  /** Null: a new object, or the network. */
  readonly id: string | null;
  readonly version: number | null;
  readonly input: Readonly<Record<string, unknown>>;
  /** Members of the input that a person must add, as paths; empty = it can be carried out as it is. */
  readonly missing: readonly string[];
}

/** A line item that won what this one lost. */
export interface RivalFacts {
  readonly type: string;
  readonly level: number;
  readonly sharePercent: number | null;
  /** The expected earning of a thousand of its impressions, micros. */
  readonly valueMicros: number;
}

/** The input of a change. */
export interface ChangeInput {
  readonly booked: BookedState;
  readonly nowMs: number;
  /** The expected earning of a thousand impressions at the present price, micros; 0 = unknown. */
  readonly valueMicros: number;
  /** Its goal has as much as its plan expects by now. */
  readonly isOnPlan: boolean;
  /** Who won what was lost; null = nobody, or unknown. */
  readonly rival: RivalFacts | null;
}

/** Makes the change that removes a cause; null where none does. */
export type MakeChange = (input: ChangeInput, cause: Cause) => Change | null;

/** A change of the line item itself. */
export function ofLineItem(
  { booked: { lineItem } }: ChangeInput,
  text: DeliveryText | DeliveryTextCode,
  input: Change['input'],
  missing: readonly string[] = [],
): Change {
  const { id, version } = lineItem;
  return { text: toText(text), object: 'LineItem', id: String(id), version, input, missing };
}

function toText(text: DeliveryText | DeliveryTextCode): DeliveryText {
  return typeof text === 'string' ? textOf(text) : text;
}

const LEVELS = {
  line_item: { object: 'LineItem', of: ({ lineItem }: BookedState) => lineItem },
  campaign: { object: 'Campaign', of: ({ campaign }: BookedState) => campaign },
  advertiser: { object: 'Advertiser', of: ({ advertiser }: BookedState) => advertiser },
  deal: { object: 'Deal', of: ({ deal }: BookedState) => deal },
} as const;

/** What a change says and sets. */
interface MadeChange {
  readonly text: DeliveryText | DeliveryTextCode;
  readonly input: Change['input'];
}

/** A change of the line item or of one of its parents, by its level in codes. */
export function ofLevel(
  input: ChangeInput,
  level: string,
  make: (object: ReturnType<typeof termValue>) => MadeChange,
): Change | null {
  const known = LEVELS[level as keyof typeof LEVELS];
  const owner = known?.of(input.booked) ?? null;
  if (known === undefined || owner === null) return null;
  const { text, input: changed } = make(termValue(level));
  return {
    text: toText(text),
    input: changed,
    object: known.object,
    id: String(owner.id),
    version: owner.version,
    missing: [],
  };
}

/** A change of one of its creatives: the one that the cause names, or the first that is active. */
export const ofCreative =
  (make: (creative: CreativeState, input: ChangeInput) => MadeChange) =>
  (input: ChangeInput, { detail }: Cause): Change | null => {
    const { creatives } = input.booked;
    const named = creatives.find(({ id }) => String(id) === detail);
    const creative = named ?? creatives.find(({ status }) => status === 'ACTIVE') ?? creatives[0];
    if (creative === undefined) return null;
    const { id, version } = creative;
    const { text, input: changed } = make(creative, input);
    return { text: toText(text), input: changed, object: 'Creative', id: String(id), version, missing: [] };
  };
