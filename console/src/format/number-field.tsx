import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { say } from '../messages/say.ts';
import { ambiguityOf, echoOf, heldOf, readNumber, showNumber, typedText } from './typed-numbers.ts';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'inputMode' | 'type'> {
  readonly value: string;
  /** The field takes no fraction. */
  readonly isWhole?: boolean;
  onChange: (text: string) => void;
}

/** A field for a number as a person types it. What is read of it stands below; a text with two meanings is refused with both. */
export function NumberField({ value, isWhole = false, onChange, error, ...props }: NumberFieldProps) {
  const echo = echoOf(value, isWhole);
  return (
    <div>
      <TextInput
        {...props}
        inputMode={isWhole ? 'numeric' : 'decimal'}
        value={value}
        error={ambiguityOf(value, isWhole) ?? error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {echo === null ? null : (
        <Text size="xs" c="dimmed" component="output" display="block" mt={2}>
          {say('number.read_as', { number: echo })}
        </Text>
      )}
    </div>
  );
}

interface NumberValueFieldProps extends Omit<NumberFieldProps, 'value' | 'onChange'> {
  /** Null: the field is empty, or its text cannot be read. */
  readonly value: number | null;
  readonly min: number;
  readonly max: number;
  onChange: (value: number | null) => void;
}

/** A number field whose form holds the number. A text that is not a number within the bounds is null, and the field says so. */
export function NumberValueField({
  value,
  min,
  max,
  isWhole = false,
  onChange,
  error,
  ...props
}: NumberValueFieldProps) {
  const [text, setText] = useState(value === null ? '' : typedText(String(value)));
  const read = (typed: string): number | null => {
    const reading = readNumber(typed, { isWhole });
    const number = reading.kind === 'number' ? Number(reading.value) : Number.NaN;
    return number >= min && number <= max ? number : null;
  };
  // The form may set another number than the one that was typed.
  const shown = value === null || read(text) === value ? text : typedText(String(value));
  return (
    <NumberField
      {...props}
      value={shown}
      isWhole={isWhole}
      error={
        read(shown) === null
          ? say('number.fault_between', { min: showNumber(String(min)), max: showNumber(String(max)) })
          : error
      }
      onChange={(next) => {
        setText(next);
        onChange(read(next));
      }}
    />
  );
}

/** A number field whose form holds the exact number, such as `1234.5`; of another text, a text that the server refuses. */
export function ExactNumberField({ value, isWhole = false, onChange, ...props }: NumberFieldProps) {
  const [text, setText] = useState(typedText(value));
  return (
    <NumberField
      {...props}
      value={heldOf(text, isWhole) === value ? text : typedText(value)}
      isWhole={isWhole}
      onChange={(next) => {
        setText(next);
        onChange(heldOf(next, isWhole));
      }}
    />
  );
}
