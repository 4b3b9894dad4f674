import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { acceptInvitation, type Invitation, showInvitation } from '../api/auth.ts';
import { fieldMessage } from '../api/problem.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Opens a one-time link: joins a network, makes an account, or sets a new password. The token stands behind `#`, which no server sees. */
export function InvitationPage() {
  const token = window.location.hash.slice(1);
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => showInvitation(token),
    retry: false,
    enabled: token !== '',
  });
  if (invitation.data === undefined) {
    return (
      <SignInFrame title={say('invitation.title')}>
        {token === '' ? <Text>{say('invitation.no_token')}</Text> : null}
        <ProblemAlert error={invitation.error} />
        <Anchor renderRoot={(props) => <Link to="/sign-in" {...props} />}>{say('action.sign_in')}</Anchor>
      </SignInFrame>
    );
  }
  return <AcceptForm token={token} invitation={invitation.data} />;
}

function AcceptForm({ token, invitation }: { readonly token: string; readonly invitation: Invitation }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const accepting = useMutation({
    mutationFn: () => acceptInvitation({ token, name, password }),
    onSuccess: () => window.location.assign('/lens'),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    accepting.mutate();
  };
  const { purpose, hasAccount, networkName, role, email } = invitation;
  const isNew = purpose === 'join' && !hasAccount;
  return (
    <SignInFrame title={say(purpose === 'password' ? 'invitation.password_title' : 'invitation.title')}>
      <form onSubmit={submit}>
        <Stack>
          <Text>
            {purpose === 'password'
              ? say('invitation.password_text', { email })
              : networkName === null || role === null
                ? say('invitation.account_text', { email })
                : say('invitation.join_text', { email, network: networkName, role: say(`role.${role}`) })}
          </Text>
          <ProblemAlert error={accepting.error} />
          {isNew ? (
            <TextInput
              label={say('account.name')}
              required
              autoComplete="name"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={fieldMessage(accepting.error, 'name')}
            />
          ) : null}
          <PasswordInput
            label={say(purpose === 'join' && hasAccount ? 'sign_in.password' : 'account.new_password')}
            description={purpose === 'join' && hasAccount ? undefined : say('account.password_hint')}
            required
            autoComplete={purpose === 'join' && hasAccount ? 'current-password' : 'new-password'}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={fieldMessage(accepting.error, 'password')}
            visibilityToggleButtonProps={{ 'aria-label': say('sign_in.show_password') }}
          />
          <Button type="submit" loading={accepting.isPending}>
            {say('action.accept')}
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}
