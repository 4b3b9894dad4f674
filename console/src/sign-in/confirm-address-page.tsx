import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { confirmAddress } from '../api/account/auth.ts';
import { isSignedOut } from '../api/transport/problem.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Opens the link that proves a new address. It works for who is signed in to the account alone. */
export function ConfirmAddressPage() {
  const token = window.location.hash.slice(1);
  const confirming = useMutation({ mutationFn: () => confirmAddress(token) });
  const next = `/confirm-address#${token}`;
  return (
    <SignInFrame title={say('confirm_address.title')}>
      {confirming.data === undefined ? (
        <Stack>
          <Text>{say(token === '' ? 'invitation.no_token' : 'confirm_address.text')}</Text>
          <ProblemAlert error={confirming.error} />
          {isSignedOut(confirming.error) ? (
            <Anchor renderRoot={(props) => <Link to="/sign-in" search={{ next }} {...props} />}>
              {say('action.sign_in')}
            </Anchor>
          ) : null}
          <Button disabled={token === ''} loading={confirming.isPending} onClick={() => confirming.mutate()}>
            {say('confirm_address.confirm')}
          </Button>
        </Stack>
      ) : (
        <Stack>
          <output>{say('confirm_address.done', { email: confirming.data })}</output>
          <Anchor renderRoot={(props) => <Link to="/settings/account" {...props} />}>{say('nav.account')}</Anchor>
        </Stack>
      )}
    </SignInFrame>
  );
}
