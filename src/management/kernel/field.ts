import type { FieldProblem } from '../../domain/errors.ts';
import type { ProblemCode } from '../../domain/problem-codes.ts';

/** A row of a tenant table as the generic code sees it; resources give it its own type where rules need one. */
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
  /** The name of the object in messages, such as `campaign`. */
  readonly label: string;
  /** Describes the field that shows the object itself (its name is this field's without `Id`); absent when there is no such field. */
  readonly link?: string;
  /** The object is part of the one that it refers to, even where the reference is optional: an export leaves both out together. */
  readonly isOwner?: boolean;
}

/** One field of a resource: its input, validation, storage and output, stated once and together. */
export interface Field {
  readonly name: string;
  readonly description: string;
  /** Input type for the schema builder; null for a read-only field. */
  readonly input: unknown;
  /** Output type for the schema builder. */
  readonly output: unknown;
  readonly outputNullable: boolean;
  readonly requiredOnCreate: boolean;
  readonly updatable: boolean;
  /** Whether null is allowed and clears the field. */
  readonly clearable: boolean;
  /** The columns of the field. */
  readonly columns: readonly string[];
  /** The jsonb columns among them: written as JSON text. */
  readonly jsonColumns: readonly string[];
  /** Whether it is money: decimal text, which is shown as `Money` beside. */
  readonly isMoney?: boolean;
  /** The one form of its texts, where several texts mean the same, such as domains. */
  readonly form?: (text: string) => string;
  /** The stored values when a creation leaves the field out. */
  readonly initial: Columns;
  readonly reference?: Reference;
  /** Validates a value (never null) and converts it to columns; pushes what is wrong onto `problems`. */
  write(value: unknown, path: string, problems: FieldProblem[]): Columns;
  /** The stored values when the input is null. */
  readonly cleared: Columns;
  read(row: StoredRow): unknown;
  /** The stored value in the form of an input (enumerations by name), for export. Default: the result of `read`. */
  asInput?(row: StoredRow): unknown;
}

/** The stored value as a caller would give it. */
export function inputForm(field: Field, row: StoredRow): unknown {
  return field.asInput === undefined ? field.read(row) : field.asInput(row);
}

/** The options that all kinds of fields have. */
export interface FieldBase {
  /** GraphQL name. */
  readonly name: string;
  /** The column; default: the snake-case form of the name. */
  readonly column?: string;
  readonly description: string;
  readonly required?: boolean;
  /** Whether only a creation sets the field (parents). */
  readonly createOnly?: boolean;
}

/** `startsAt` → `starts_at`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The validation and output of a field that is one column. */
export interface SingleColumn {
  readonly input: unknown;
  readonly output: unknown;
  /** The stored value when the input leaves the field out; undefined together with `required`. null makes the field clearable. */
  readonly initial: unknown;
  /** Whether null is allowed; default: when `initial` is null. */
  readonly clearable?: boolean;
  readonly reference?: Reference;
  readonly isMoney?: boolean;
  /** The one form of its texts. */
  readonly form?: ((text: string) => string) | undefined;
  /** Whether the column is jsonb. */
  readonly isJson?: boolean;
  /** Validates a value and converts it to the stored one; default: stored unchanged. */
  check?(value: unknown, path: string, problems: FieldProblem[]): unknown;
  /** Converts a stored value to its output; default: unchanged. */
  show?(stored: unknown): unknown;
  /** Converts a stored value to the form of an input, where that differs from `show`. */
  asInput?(stored: unknown): unknown;
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
    ...(kind.isMoney === true ? { isMoney: true } : {}),
    ...(kind.form === undefined ? {} : { form: kind.form }),
    write: (value, path, problems) => ({
      [column]: kind.check === undefined ? value : kind.check(value, path, problems),
    }),
    read: (row) => {
      const stored = row[column];
      if (stored === null || stored === undefined) return null;
      return kind.show === undefined ? stored : kind.show(stored);
    },
    ...(kind.asInput === undefined ? {} : { asInput: (row: StoredRow) => columnAsInput(row[column], kind) }),
  };
}

function columnAsInput(stored: unknown, kind: SingleColumn): unknown {
  return stored === null || stored === undefined ? null : kind.asInput?.(stored);
}

/** Adds a problem to the list: its path, a stable code, and what the caller can do. */
export function report(problems: FieldProblem[], path: string, code: ProblemCode, message: string): void {
  problems.push({ path, code, message });
}
