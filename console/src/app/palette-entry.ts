import type { BookedKind, DeliveryStatus } from '../api/bookings/desk-list.ts';
import type { SearchedKind } from '../api/bookings/search.ts';
import type { BulkPlan } from '../changes/bulk-plan.ts';

/** An object or a command that the palette offers. */
export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  /** Of objects; null: it is a command. */
  readonly object: {
    readonly kind: SearchedKind;
    /** Null: it is not known. */
    readonly status: DeliveryStatus | null;
    readonly detail: string | null;
  } | null;
  run: () => void;
}

/** A change that a member chose, to be previewed. */
export interface ChosenPlan {
  readonly kind: BookedKind;
  readonly plan: BulkPlan;
}
