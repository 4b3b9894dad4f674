/* oxlint-disable jsx-a11y/no-autofocus -- the page is this form; the field that is asked for next gets the focus */
import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { signIn, signInByLink } from '../api/account/auth.ts';
import { type AskedPasskey, requestPasskey } from '../api/account/passkeys.ts';
import { ApiProblem } from '../api/transport/problem.ts';
import type { AppSearch } from '../session/app-search.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { OtherWays } from './other-ways.tsx';
import { safeNext, SignInFrame } from './sign-in-frame.tsx';

/** E-mail and password, then the second factor's code where one is set up. */
export function SignInPage() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [passkey, setPasskey] = useState<AskedPasskey | null>(null);
  const { next, problem, network } = useSearch({ strict: false }) as AppSearch;
  const router = useRouter();
  const client = useQueryClient();
  const enter = (): void => {
    client.clear();
    router.history.push(safeNext(next));
  };
  const link = useLink(enter);
  const attempt = useMutation({
    mutationFn: async (asked: AskedPasskey | null) => {
      if (asked !== null) await signIn({ email, password, passkey: await requestPasskey(asked) });
      else await signIn(needsCode ? { email, password, code } : { email, password });
    },
    onSuccess: enter,
    onError: (error) => {
      if (!(error instanceof ApiProblem && error.code === 'authentication_required')) return;
      setNeedsCode(true);
      setPasskey((error.details['passkey'] as AskedPasskey | null | undefined) ?? null);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    attempt.mutate(null);
  };
  const wantsCode = attempt.error instanceof ApiProblem && attempt.error.code === 'authentication_required';
  return (
    <SignInFrame title={say('sign_in.title')}>
      <form onSubmit={submit}>
        <Stack>
          {link.isRefused && attempt.error === null ? <Alert color="yellow">{say('sign_in.link_ended')}</Alert> : null}
          {problem === undefined || attempt.error !== null ? null : <ProviderProblem problem={problem} />}
          {wantsCode ? null : <ProblemAlert error={attempt.error} />}
          <PasswordFields email={email} password={password} onEmail={setEmail} onPassword={setPassword} />
          {needsCode ? <CodeField code={code} isRequired={passkey === null} onChange={setCode} /> : null}
          <Button type="submit" loading={attempt.isPending || link.isPending}>
            {say('action.sign_in')}
          </Button>
          {passkey === null ? null : (
            <Button
              variant="default"
              onClick={() => {
                // The server's challenge works once.
                setPasskey(null);
                attempt.mutate(passkey);
              }}
            >
              {say('passkey.use')}
            </Button>
          )}
          <Anchor size="sm" renderRoot={(props) => <Link to="/forgot-password" {...props} />}>
            {say('forgot.title')}
          </Anchor>
          <Text size="sm" c="dimmed">
            {say('sign_in.help')}
          </Text>
        </Stack>
      </form>
      {needsCode ? null : <OtherWays network={network} next={safeNext(next)} onSignedIn={enter} />}
    </SignInFrame>
  );
}

/** What went wrong at another provider's sign-in, which the address says. */
function ProviderProblem({ problem }: { readonly problem: string }) {
  return (
    <Alert color="red" variant="outline" role="alert" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
      {say(problem === 'not_connected' ? 'sign_in.problem.not_connected' : 'sign_in.problem.other')}
    </Alert>
  );
}

/** Signs in by the link that a start printed, where the address of the page has its token. The token leaves the address at once. */
function useLink(onSignedIn: () => void): { readonly isPending: boolean; readonly isRefused: boolean } {
  const begun = useRef(false);
  const { mutate, isPending, isError } = useMutation({ mutationFn: signInByLink, onSuccess: onSignedIn });
  useEffect(() => {
    const token = window.location.hash.slice(1);
    if (token === '' || begun.current) return;
    begun.current = true;
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
    mutate(token);
  }, [mutate]);
  return { isPending, isRefused: isError };
}

function PasswordFields({
  email,
  password,
  onEmail,
  onPassword,
}: {
  readonly email: string;
  readonly password: string;
  onEmail: (email: string) => void;
  onPassword: (password: string) => void;
}) {
  return (
    <>
      <TextInput
        label={say('sign_in.email')}
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => onEmail(event.currentTarget.value)}
        autoFocus
      />
      <PasswordInput
        label={say('sign_in.password')}
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => onPassword(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': say('sign_in.show_password') }}
      />
    </>
  );
}

/** The second factor's code; a passkey can stand for it. */
function CodeField({
  code,
  isRequired,
  onChange,
}: {
  readonly code: string;
  readonly isRequired: boolean;
  onChange: (code: string) => void;
}) {
  return (
    <TextInput
      label={say('sign_in.code')}
      description={say('sign_in.code_hint')}
      autoComplete="one-time-code"
      inputMode="text"
      required={isRequired}
      autoFocus
      value={code}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
