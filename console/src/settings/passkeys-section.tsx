import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addPasskey, listPasskeys, type PasskeyEntry, removePasskey } from '../api/account/passkeys.ts';
import { say } from '../messages/say.ts';
import { FormDialog, NameField } from '../ui/form-dialog.tsx';
import { Instant } from '../ui/instant.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { type SettingsColumn, SettingsTable } from '../ui/settings-table.tsx';

/** One's own passkeys. */
export function PasskeysSection() {
  const client = useQueryClient();
  const listed = useQuery({ queryKey: ['passkeys'], queryFn: ({ signal }) => listPasskeys(signal) });
  const refresh = (): void => void client.invalidateQueries({ queryKey: ['passkeys'] });
  const removing = useMutation({ mutationFn: (id: string) => removePasskey(id), onSettled: refresh });
  const [isAdding, setAdding] = useState(false);
  const columns: SettingsColumn<PasskeyEntry>[] = [
    { title: say('column.name'), render: (one) => one.name },
    { title: say('passkey.since'), render: (one) => <Instant at={one.createdAt} /> },
    {
      title: say('passkey.last_used'),
      render: (one) => (one.lastUsedAt === null ? say('value.never') : <Instant at={one.lastUsedAt} />),
    },
    {
      title: say('column.actions'),
      isAction: true,
      render: (one) => (
        <Button
          size="xs"
          variant="default"
          aria-label={say('passkey.remove', { name: one.name })}
          onClick={() => removing.mutate(one.id)}
        >
          {say('users.remove')}
        </Button>
      ),
    },
  ];
  const isAvailable = listed.data?.available === true;
  return (
    <Stack component="section" aria-labelledby="account-passkeys">
      <Group justify="space-between">
        <Title order={2} id="account-passkeys">
          {say('passkey.title')}
        </Title>
        <Button variant="default" disabled={!isAvailable} onClick={() => setAdding(true)}>
          {say('passkey.add')}
        </Button>
      </Group>
      <Text>{say(listed.data !== undefined && !isAvailable ? 'passkey.unavailable' : 'passkey.text')}</Text>
      <ProblemAlert error={listed.error ?? removing.error} />
      <SettingsTable
        label={say('passkey.title')}
        columns={columns}
        rows={listed.data?.passkeys ?? []}
        rowKey={(one) => one.id}
        empty={say('passkey.none')}
      />
      {isAdding ? (
        <AddPasskey
          onClose={() => {
            setAdding(false);
            refresh();
          }}
        />
      ) : null}
    </Stack>
  );
}

function AddPasskey({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const adding = useMutation({ mutationFn: () => addPasskey(name), onSuccess: onClose });
  return (
    <FormDialog title={say('passkey.add')} action={say('action.continue')} submission={adding} onClose={onClose}>
      <Text>{say('passkey.add_text')}</Text>
      <NameField value={name} error={adding.error} onChange={setName} />
    </FormDialog>
  );
}
