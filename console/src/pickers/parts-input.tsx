import { ActionIcon, Button, Divider, Fieldset, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';

/** What a person has typed, by the name of the part. */
type Texts = Readonly<Record<string, string>>;

interface PartsProps<Part> {
  readonly parts: readonly Part[];
  /** Any number of groups; else one at most. */
  readonly isRows: boolean;
  readonly label: string;
  /** JSON of the texts of a group, or of a list of them; empty: none. */
  readonly value: string;
  readonly error: string | null;
  onChange: (value: string) => void;
  /** Draws one part. */
  draw: (part: Part, value: string, onChange: (next: string) => void) => ReactNode;
}

/** A field of several parts: one group of them, or any number of rows. */
export function PartsInput<Part extends { readonly name: string }>(props: PartsProps<Part>) {
  const { parts, isRows, label, value, error, onChange, draw } = props;
  const rows = value === '' ? [] : [JSON.parse(value) as Texts | readonly Texts[]].flat();
  const set = (next: readonly Texts[]): void => {
    const [only] = next;
    onChange(only === undefined ? '' : JSON.stringify(isRows ? next : only));
  };
  return (
    <Fieldset legend={label} p="sm">
      <Stack gap="sm">
        {rows.map((row, index) => (
          // The rows have no names of their own while they are typed.
          <Fieldset key={index} variant="unstyled" aria-label={`${label} ${index + 1}`}>
            {index === 0 ? null : <Divider mb="sm" />}
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
              {parts.map((part) =>
                draw(part, row[part.name] ?? '', (next) =>
                  set(rows.map((one, at) => (at === index ? { ...one, [part.name]: next } : one))),
                ),
              )}
              <Group justify="flex-end" align="flex-end">
                <ActionIcon
                  variant="default"
                  aria-label={say('catalog.parts_remove', { field: label })}
                  onClick={() => set(rows.filter((_row, at) => at !== index))}
                >
                  <Icon name="close" size={16} />
                </ActionIcon>
              </Group>
            </SimpleGrid>
          </Fieldset>
        ))}
        {rows.length === 0 || isRows ? (
          <Group>
            <Button size="xs" variant="default" onClick={() => set([...rows, {}])}>
              {say('catalog.parts_add')}
            </Button>
          </Group>
        ) : null}
        {error === null ? null : (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}
