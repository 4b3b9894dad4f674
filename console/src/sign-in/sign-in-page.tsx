/* oxlint-disable jsx-a11y/no-autofocus -- the page is this form; the field that is asked for next gets the focus */
import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { signIn } from '../api/auth.ts';
import { ApiProblem } from '../api/problem.ts';
import type { AppSearch } from '../app/app-search.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { safeNext, SignInFrame } from './sign-in-frame.tsx';

/** E-mail and password, then the second factor's code where one is set up. */
export function SignInPage() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const { next } = useSearch({ strict: false }) as AppSearch;
  const router = useRouter();
  const client = useQueryClient();
  const attempt = useMutation({
    mutationFn: () => signIn(needsCode ? { email, password, code } : { email, password }),
    onSuccess: () => {
      client.clear();
      router.history.push(safeNext(next));
    },
    onError: (error) => {
      if (error instanceof ApiProblem && error.code === 'authentication_required') setNeedsCode(true);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    attempt.mutate();
  };
  const wantsCode = attempt.error instanceof ApiProblem && attempt.error.code === 'authentication_required';
  return (
    <SignInFrame title={say('sign_in.title')}>
      <form onSubmit={submit}>
        <Stack>
          {wantsCode ? null : <ProblemAlert error={attempt.error} />}
          <TextInput
            label={say('sign_in.email')}
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            autoFocus
          />
          <PasswordInput
            label={say('sign_in.password')}
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': say('sign_in.show_password') }}
          />
          {needsCode ? (
            <TextInput
              label={say('sign_in.code')}
              description={say('sign_in.code_hint')}
              autoComplete="one-time-code"
              inputMode="text"
              required
              autoFocus
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          ) : null}
          <Button type="submit" loading={attempt.isPending}>
            {say('action.sign_in')}
          </Button>
          <Anchor size="sm" renderRoot={(props) => <Link to="/forgot-password" {...props} />}>
            {say('forgot.title')}
          </Anchor>
          <Text size="sm" c="dimmed">
            {say('sign_in.help')}
          </Text>
        </Stack>
      </form>
    </SignInFrame>
  );
}
