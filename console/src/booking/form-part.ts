import type { BookingDraft } from './booking-draft.ts';

/** What the sections of the form share. */
export interface FormPart {
  readonly draft: BookingDraft;
  change: (next: Partial<BookingDraft>) => void;
  /** The fault of a field that a person has been at; null: none to show. */
  fault: (name: string) => string | null;
  /** Says that a person has been at a field. */
  touch: (name: string) => void;
}
