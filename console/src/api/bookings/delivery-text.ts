import type { DeliveryTextCode } from '../../../../sdk/client/src/schema.ts';

export type { DeliveryTextCode };

/** What fills one `{name}` of a text, independent of any language. */
export interface DeliveryTextValue {
  readonly name: string;
  /** `COUNT`, `MONEY` and so on; a later server may have further kinds. */
  readonly kind: string;
  readonly value: string;
}

/** A part of a sentence about delivery as data. */
export interface DeliveryText {
  /** A {@link DeliveryTextCode}, or one of a later server. */
  readonly code: string;
  readonly values: readonly DeliveryTextValue[];
}

/** What is selected of a text. */
export const DELIVERY_TEXT_FIELDS = '{ code values { name kind value } }';
