import type { FieldProblem } from '../../domain/errors.ts';

/** A row of a tenant table as the generic code sees it; nouns give it its own type where rules need one. */
export interface StoredRow {
  readonly workspace_id: number;
  readonly id: bigint;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly updated_by: string;
  readonly [column: string]: unknown;
}

/** Stored values by column. jsonb columns hold parsed values here; the SQL layer writes them as text. */
export type Columns = Record<string, unknown>;

/** A reference that must name an object of the same workspace: looked up before the row is written. */
export interface Reference {
  readonly table: string;
  /** What it is called in messages, such as `campaign`. */
  readonly noun: string;
  /** Describes the field that shows the object itself, named as this one without `Id`; absent: there is none. */
  readonly link?: string;
  /** Who names it is nothing without it, even where naming one is a choice: an export leaves both out. */
  readonly isOwner?: boolean;
}

/** One field of a noun: how it is asked for, checked, stored and shown. Input, output and storage are stated together, once. */
export interface Field {
  readonly name: string;
  readonly description: string;
  /** Input type for the schema builder; null = cannot be written. */
  readonly input: unknown;
  /** Output type for the schema builder. */
  readonly output: unknown;
  readonly outputNullable: boolean;
  readonly requiredOnCreate: boolean;
  readonly updatable: boolean;
  /** Whether null is taken, and clears the field. */
  readonly clearable: boolean;
  /** The columns that it is stored in. */
  readonly columns: readonly string[];
  /** Those of them that are jsonb: written as JSON text. */
  readonly jsonColumns: readonly string[];
  /** Stored values when the field is absent on creation. */
  readonly initial: Columns;
  readonly reference?: Reference;
  /** Checks a given value (never null) and turns it into columns; what is wrong is pushed onto `problems`. */
  write(value: unknown, path: string, problems: FieldProblem[]): Columns;
  /** The stored values when the field is given as null. */
  readonly cleared: Columns;
  read(row: StoredRow): unknown;
  /** The stored value in the form in which it would be given (enumerations by name): for export. Default: as `read` shows it. */
  give?(row: StoredRow): unknown;
}

/** What every kind of field has in common, before its kind is known. */
export interface FieldBase {
  /** GraphQL name. */
  readonly name: string;
  /** Column, when it is not the snake-case form of the name. */
  readonly column?: string;
  readonly description: string;
  readonly required?: boolean;
  /** Written at creation only (parents). */
  readonly createOnly?: boolean;
}

/** `startsAt` → `starts_at`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** How one column of a field is checked and shown. */
export interface SingleColumn {
  readonly input: unknown;
  readonly output: unknown;
  /** Stored value when absent; undefined together with `required`. null makes the field clearable. */
  readonly initial: unknown;
  /** Whether null is taken; default: when `initial` is null. */
  readonly clearable?: boolean;
  readonly reference?: Reference;
  /** Whether the column is jsonb. */
  readonly isJson?: boolean;
  /** Checks a given value and turns it into the stored one; default: it is stored as given. */
  check?(value: unknown, path: string, problems: FieldProblem[]): unknown;
  /** Default: as stored. */
  show?(stored: unknown): unknown;
  /** The stored value in the form in which it would be given, where that differs from `show`. */
  give?(stored: unknown): unknown;
}

/** A field that is one column. */
export function columnField(base: FieldBase, kind: SingleColumn): Field {
  const column = base.column ?? snakeCase(base.name);
  const clearable = kind.clearable ?? (kind.initial === null && base.required !== true);
  return {
    name: base.name,
    description: base.description,
    input: kind.input,
    output: kind.output,
    outputNullable: clearable,
    requiredOnCreate: base.required ?? false,
    updatable: base.createOnly !== true,
    clearable,
    columns: [column],
    jsonColumns: kind.isJson === true ? [column] : [],
    initial: base.required === true || kind.input === null ? {} : { [column]: kind.initial },
    cleared: { [column]: null },
    ...(kind.reference === undefined ? {} : { reference: kind.reference }),
    write: (value, path, problems) => ({
      [column]: kind.check === undefined ? value : kind.check(value, path, problems),
    }),
    read: (row) => {
      const stored = row[column];
      if (stored === null || stored === undefined) return null;
      return kind.show === undefined ? stored : kind.show(stored);
    },
    ...(kind.give === undefined ? {} : { give: (row: StoredRow) => giveColumn(row[column], kind) }),
  };
}

function giveColumn(stored: unknown, kind: SingleColumn): unknown {
  return stored === null || stored === undefined ? null : kind.give?.(stored);
}

/** Adds a problem to the list: its path, a stable code, and what to do. */
export function report(problems: FieldProblem[], path: string, code: string, message: string): void {
  problems.push({ path, code, message });
}
