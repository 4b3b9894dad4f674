import { Text } from '@mantine/core';

/** The fault of fields that do not show it themselves; nothing: null. */
export function FaultText({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return (
    <Text size="sm" c="var(--mantine-color-error)">
      {text}
    </Text>
  );
}
