import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { acceptInvitation, type Invitation, showInvitation } from '../api/account/auth.ts';
import { fieldMessage } from '../api/transport/problem.ts';
import { say } from '../messages/say.ts';
import { sessionQuery } from '../session/session.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
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

/** Accepts as the account of that address, when one is signed in to it; else makes the account, or sets its password. */
function AcceptForm({ token, invitation }: { readonly token: string; readonly invitation: Invitation }) {
  const session = useQuery({ ...sessionQuery, retry: false });
  const { purpose, email } = invitation;
  if (session.isPending) return <LoadingPage />;
  const isOwner = purpose === 'join' && session.data?.user.email === email;
  return (
    <SignInFrame title={say(purpose === 'password' ? 'invitation.password_title' : 'invitation.title')}>
      <Text>{describe(invitation)}</Text>
      {isOwner ? <JoinForm token={token} /> : <AccountForm token={token} invitation={invitation} />}
    </SignInFrame>
  );
}

function describe({ purpose, networkName, role, email }: Invitation): string {
  if (purpose === 'password') return say('invitation.password_text', { email });
  if (networkName === null || role === null) return say('invitation.account_text', { email });
  return say('invitation.join_text', { email, network: networkName, role: say(`role.${role}`) });
}

function useAccepting(token: string, account: { name: string; password: string }) {
  return useMutation({
    mutationFn: () => acceptInvitation({ token, ...account }),
    onSuccess: () => window.location.assign('/desk'),
  });
}

function JoinForm({ token }: { readonly token: string }) {
  const accepting = useAccepting(token, { name: '', password: '' });
  return (
    <Stack>
      <ProblemAlert error={accepting.error} />
      <Button loading={accepting.isPending} onClick={() => accepting.mutate()}>
        {say('action.accept')}
      </Button>
    </Stack>
  );
}

function AccountForm({ token, invitation }: { readonly token: string; readonly invitation: Invitation }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const accepting = useAccepting(token, { name, password });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    accepting.mutate();
  };
  const isJoin = invitation.purpose === 'join';
  const next = `/invitation#${token}`;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {isJoin ? (
          <Text>
            {say('invitation.has_account')}{' '}
            <Anchor renderRoot={(props) => <Link to="/sign-in" search={{ next }} {...props} />}>
              {say('invitation.sign_in_first')}
            </Anchor>
          </Text>
        ) : null}
        <ProblemAlert error={accepting.error} />
        {isJoin ? (
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
          label={say('account.new_password')}
          description={say('account.password_hint')}
          required
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={fieldMessage(accepting.error, 'password')}
          visibilityToggleButtonProps={{ 'aria-label': say('sign_in.show_password') }}
        />
        <Button type="submit" loading={accepting.isPending}>
          {say(isJoin ? 'invitation.make_account' : 'invitation.set_password')}
        </Button>
      </Stack>
    </form>
  );
}
