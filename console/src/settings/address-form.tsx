import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { startAddressChange } from '../api/account/auth.ts';
import { fieldMessage } from '../api/transport/problem.ts';
import { useSession } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';

/** Changes the address of one's own account; the new one is proved by a mail before it is used. */
export function AddressForm() {
  const { user } = useSession();
  const [email, setEmail] = useState('');
  const starting = useMutation({ mutationFn: () => startAddressChange({ email }) });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    starting.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={420}>
        <Title order={2}>{say('address.title')}</Title>
        <Text>{say('address.now', { email: user.email })}</Text>
        <ProblemAlert error={starting.error} />
        {starting.isSuccess ? <output>{say('address.sent', { email })}</output> : null}
        <TextInput
          label={say('address.new')}
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={fieldMessage(starting.error, 'email')}
        />
        <Group>
          <Button type="submit" variant="default" loading={starting.isPending}>
            {say('address.change')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
