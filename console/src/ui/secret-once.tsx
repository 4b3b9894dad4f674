import { Alert, Button, Checkbox, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { say } from '../messages/say.ts';
import { Dialog } from './dialog.tsx';
import { Icon } from './icons.tsx';

/** Secrets that are shown this once. The dialog closes only after "I have saved it". */
export function SecretOnce({
  title,
  secrets,
  onClose,
}: {
  readonly title: string;
  readonly secrets: readonly { readonly label: string; readonly value: string }[];
  onClose: () => void;
}) {
  const [saved, setSaved] = useState(false);
  return (
    <Dialog
      opened
      onClose={() => (saved ? onClose() : undefined)}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={saved}
      title={title}
      size="lg"
    >
      <Stack>
        <Alert color="yellow" variant="outline" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
          {say('secret.once')}
        </Alert>
        {secrets.map(({ label, value }) => (
          <Group key={label} align="flex-end" gap="xs" wrap="nowrap">
            <TextInput
              label={label}
              value={value}
              readOnly
              style={{ flex: 1 }}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
              onFocus={(event) => event.currentTarget.select()}
            />
            <CopyButton value={value}>
              {({ copied, copy }) => (
                <Button
                  variant="default"
                  leftSection={<Icon name={copied ? 'check' : 'copy'} size={16} />}
                  onClick={copy}
                  aria-label={`${say('action.copy')}: ${label}`}
                >
                  {say(copied ? 'state.copied' : 'action.copy')}
                </Button>
              )}
            </CopyButton>
          </Group>
        ))}
        <Checkbox
          label={say('secret.saved')}
          checked={saved}
          onChange={(event) => setSaved(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!saved} onClick={onClose}>
            {say('action.done')}
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          {say('secret.lost')}
        </Text>
      </Stack>
    </Dialog>
  );
}
