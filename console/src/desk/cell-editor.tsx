import { type KeyboardEvent, useRef, useState } from 'react';

/** How cells of a column are edited in place. Texts are as a person types them. */
export interface CellEditor<Row> {
  readonly kind: 'text' | 'number' | 'datetime-local' | 'select';
  /** Of a select: values with their names. */
  readonly choices?: (row: Row) => readonly (readonly [string, string])[];
  /** Whether this row's cell can be edited. */
  isOpen: (row: Row) => boolean;
  read: (row: Row) => string;
}

/** The field in a cell while it is edited: Enter and Tab save, Escape does not. */
export function CellInput<Row>({
  editor,
  row,
  label,
  onSave,
  onEnd,
}: {
  readonly editor: CellEditor<Row>;
  readonly row: Row;
  readonly label: string;
  onSave: (text: string) => void;
  onEnd: (move?: 1 | -1) => void;
}) {
  const [before] = useState(() => editor.read(row));
  const [text, setText] = useState(before);
  const isOver = useRef(false);
  const finish = (isSaved: boolean, move?: 1 | -1): void => {
    if (isOver.current) return;
    isOver.current = true;
    if (isSaved && text !== before) onSave(text);
    onEnd(move);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // The keys of rows do not hear what is typed here.
    event.stopPropagation();
    if (event.key === 'Enter') finish(true);
    else if (event.key === 'Escape') finish(false);
    else if (event.key === 'Tab') finish(true, event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  const shared = {
    className: 'desk-cell-input',
    'aria-label': label,
    value: text,
    autoFocus: true,
    onKeyDown,
    onBlur: () => finish(true),
  };
  if (editor.kind === 'select')
    return (
      <select {...shared} onChange={(event) => setText(event.currentTarget.value)}>
        {editor.choices?.(row).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    );
  return (
    <input
      {...shared}
      type={editor.kind === 'datetime-local' ? 'datetime-local' : 'text'}
      inputMode={editor.kind === 'number' ? 'decimal' : undefined}
      onFocus={(event) => (editor.kind === 'datetime-local' ? undefined : event.currentTarget.select())}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
