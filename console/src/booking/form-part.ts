import type { BookingDraft, TermsDraft } from './booking-draft.ts';

/** What the sections of the form share. */
export interface FormPart<Draft extends TermsDraft = BookingDraft> {
  readonly draft: Draft;
  change: (next: Partial<Draft>) => void;
  /** The fault of a field that a person has been at; null: none to show. */
  fault: (name: string) => string | null;
  /** Says that a person has been at a field. */
  touch: (name: string) => void;
}

/** A section of a form of terms, whether they are booked or changed. */
export type TermsPart = FormPart<TermsDraft>;
