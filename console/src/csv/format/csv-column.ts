import type { CellKind } from './csv-cells.ts';

/** A column of a file: a field of the API's input, or a member of one. */
export interface CsvColumn {
  /** Its heading. */
  readonly name: string;
  readonly field: string;
  /** Of `goal` or `caps`; or the dimension of `targeting`. */
  readonly member?: string;
  readonly cell: CellKind;
  readonly choices?: readonly string[];
  /** The value that an empty cell sets. Absent: an empty cell leaves the field as it is. */
  readonly empty?: null | '' | readonly [] | Readonly<Record<string, never>>;
  /** A new object needs it. */
  readonly isRequired?: true;
  /** It is set when the object is made, and never again. */
  readonly onlyNew?: true;
  /** The cell of the template's example; absent: empty. */
  readonly example?: string;
}
