import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useNames } from '../pickers/use-names.ts';
import { useNetwork } from '../session/session.ts';
import { fieldTitle, type LogContext, type LoggedField, namedIn, valueWords } from './change-words.ts';

/** The facts for the words of changed fields. Reads the names of objects whose ids are values. */
export function useLogContext(fields: readonly LoggedField[]): LogContext {
  const { timezone, currency } = useNetwork() ?? {};
  const nameOf = useNames(useMemo(() => namedIn(fields), [fields]));
  return { timezone, currency, nameOf };
}

/** A changed field on a line: its title, then both values; the title alone where a value has no words. */
export function LoggedFieldLine({ field, context }: { readonly field: LoggedField; readonly context: LogContext }) {
  const before = valueWords(field.name, field.before, context);
  const after = valueWords(field.name, field.after, context);
  return (
    <Text size="sm" className="desk-value">
      {fieldTitle(field.name)}
      {before === null || after === null ? null : (
        <>
          {': '}
          <span className="diff-before">{before}</span>
          {' → '}
          <span className="diff-after">{after}</span>
        </>
      )}
    </Text>
  );
}
