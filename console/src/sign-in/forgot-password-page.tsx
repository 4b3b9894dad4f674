/* oxlint-disable jsx-a11y/no-autofocus -- the page is this one field */
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { forgetPassword } from '../api/account/auth.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Asks for a mail with a link to a new password. It says the same for every address. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const asking = useMutation({ mutationFn: () => forgetPassword(email) });
  return (
    <SignInFrame title={say('forgot.title')}>
      {asking.data === undefined ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            asking.mutate();
          }}
        >
          <Stack>
            <Text>{say('forgot.text')}</Text>
            <ProblemAlert error={asking.error} />
            <TextInput
              label={say('sign_in.email')}
              type="email"
              autoComplete="username"
              required
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              autoFocus
            />
            <Button type="submit" loading={asking.isPending}>
              {say('forgot.send')}
            </Button>
          </Stack>
        </form>
      ) : (
        <output>{say(asking.data ? 'forgot.sent' : 'forgot.no_mail', { email })}</output>
      )}
      <Anchor renderRoot={(props) => <Link to="/sign-in" {...props} />}>{say('forgot.back')}</Anchor>
    </SignInFrame>
  );
}
