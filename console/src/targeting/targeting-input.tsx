import { Button, Group, Input, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { TargetingTree } from '../api/bookings/targeting.ts';
import { say } from '../messages/say.ts';
import { useNames } from '../pickers/use-names.ts';
import { TargetingFields } from './targeting-fields.tsx';
import { rowsOf, type TargetingRow, targetingOf } from './targeting-rows.ts';
import { describeTree, idsIn } from './targeting-words.ts';

/** A targeting as rows; a tree that rows cannot say is told in words, until it is replaced. */
export function TargetingInput({
  label,
  isRequired,
  text,
  error,
  onChange,
}: {
  readonly label: string;
  readonly isRequired: boolean;
  /** The tree as JSON; empty: none. */
  readonly text: string;
  readonly error: string | null;
  onChange: (text: string) => void;
}) {
  const tree = text === '' ? null : (JSON.parse(text) as TargetingTree);
  const nameOf = useNames(idsIn(tree));
  // Rows without values say nothing yet: the text does not hold them.
  const [rows, setRows] = useState<readonly TargetingRow[] | null>(() => rowsOf(tree));
  const change = (next: readonly TargetingRow[]): void => {
    setRows(next);
    const made = targetingOf(next);
    onChange(made === null ? '' : JSON.stringify(made));
  };
  return (
    <Input.Wrapper label={label} required={isRequired} error={error}>
      {rows === null ? (
        <Stack gap="xs">
          <Text size="sm">{describeTree(tree, nameOf)}</Text>
          <Group>
            <Button size="xs" variant="default" onClick={() => change([])}>
              {say('item_form.by_rows')}
            </Button>
          </Group>
        </Stack>
      ) : (
        <TargetingFields rows={rows} change={change} />
      )}
    </Input.Wrapper>
  );
}
