import { Tooltip } from '@mantine/core';
import { type ComponentProps, type KeyboardEvent, useId, useRef, useState } from 'react';

/** What a text in a cell changes: the fields that are set, and what they were. */
export interface CellChange {
  readonly input: Readonly<Record<string, unknown>>;
  readonly undo: Readonly<Record<string, unknown>>;
}

/** How cells of a column are edited in place. Texts are as a person types them. */
export interface CellEditor<Row> {
  readonly kind: 'text' | 'number' | 'datetime-local' | 'select';
  /** Of a select: values with their names. */
  readonly choices?: (row: Row) => readonly (readonly [string, string])[];
  /** What is wrong with a text that cannot be read; absent: the text and the title of the column. */
  readonly fault?: (text: string) => string;
  /** Whether this row's cell can be edited. */
  isOpen: (row: Row) => boolean;
  read: (row: Row) => string;
  /** Null: the text cannot be read. */
  change: (row: Row, text: string) => CellChange | null;
}

/** A text that was refused, and why. */
export interface CellFault {
  readonly text: string;
  readonly message: string;
}

/** How the editing of a cell ends: the focus stays on the cell, goes to the next or previous one, or is elsewhere already. */
export type EditEnd = 'stay' | 'next' | 'previous' | 'left';

/** Why a text was refused, below its cell: over the edge of the table too, where the last row has no space. */
export function FaultText({ id, message }: { readonly id?: string; readonly message: string }) {
  return (
    <>
      <span id={id} className="desk-fault-text visually-hidden" role="alert">
        {message}
      </span>
      <Tooltip
        opened
        multiline
        maw={320}
        position="bottom-start"
        offset={4}
        classNames={{ tooltip: 'desk-fault-tip' }}
        label={message}
      >
        <span className="desk-fault-anchor" aria-hidden="true" />
      </Tooltip>
    </>
  );
}

/** The field in a cell while it is edited: Enter and Tab save, Escape does not. A text that was refused is there again, with the reason. */
export function CellInput<Row>({
  editor,
  row,
  label,
  fault,
  onSave,
  onDrop,
  onEnd,
}: {
  readonly editor: CellEditor<Row>;
  readonly row: Row;
  readonly label: string;
  readonly fault: CellFault | null;
  onSave: (text: string) => void;
  /** Nothing is saved: what was refused before is forgotten. */
  onDrop: () => void;
  onEnd: (how: EditEnd) => void;
}) {
  const [before] = useState(() => editor.read(row));
  const [text, setText] = useState(fault?.text ?? before);
  const faultId = useId();
  const isOver = useRef(false);
  const finish = (isSaved: boolean, how: EditEnd): void => {
    if (isOver.current) return;
    isOver.current = true;
    if (isSaved && text !== before) onSave(text);
    else onDrop();
    onEnd(how);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // The keys of rows do not hear what is typed here.
    event.stopPropagation();
    if (event.key === 'Enter') finish(true, 'stay');
    else if (event.key === 'Escape') finish(false, 'stay');
    else if (event.key === 'Tab') finish(true, event.shiftKey ? 'previous' : 'next');
    else return;
    event.preventDefault();
  };
  const shared = {
    className: 'desk-cell-input',
    'aria-label': label,
    'aria-invalid': fault === null ? undefined : true,
    'aria-describedby': fault === null ? undefined : faultId,
    value: text,
    autoFocus: true,
    onKeyDown,
    onBlur: () => finish(true, 'left'),
  };
  return (
    <>
      <CellField editor={editor} row={row} shared={shared} onText={setText} />
      {fault === null ? null : <FaultText id={faultId} message={fault.message} />}
    </>
  );
}

/** A list of choices, a clock time, or a text. */
function CellField<Row>({
  editor,
  row,
  shared,
  onText,
}: {
  readonly editor: CellEditor<Row>;
  readonly row: Row;
  readonly shared: ComponentProps<'input'> & ComponentProps<'select'>;
  onText: (text: string) => void;
}) {
  if (editor.kind === 'select')
    return (
      <select {...shared} onChange={(event) => onText(event.currentTarget.value)}>
        {editor.choices?.(row).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    );
  const isTime = editor.kind === 'datetime-local';
  return (
    <input
      {...shared}
      type={isTime ? 'datetime-local' : 'text'}
      inputMode={editor.kind === 'number' ? 'decimal' : undefined}
      onFocus={(event) => (isTime ? undefined : event.currentTarget.select())}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}
