import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { leaveForProvider, loadProofs, verifyWithPassword } from '../api/account/identity.ts';
import { verifyWithPasskey } from '../api/account/passkeys.ts';
import { setAsker } from '../api/transport/verification.ts';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';

type Resolver = (isVerified: boolean) => void;

/** Above the dialog whose action asked. */
const Z_INDEX = 400;
/** Keeps Escape from the dialog below, which would close with what was typed into it. */
const OWN_KEYS = { 'data-mantine-stop-propagation': 'true' };

/** Asks who is there whenever an action needs it; the action then goes on by itself. */
export function VerificationDialog() {
  const [resolvers, setResolvers] = useState<readonly Resolver[]>([]);
  useEffect(() => {
    setAsker(() => new Promise<boolean>((resolve) => setResolvers((waiting) => [...waiting, resolve])));
    return () => setAsker(null);
  }, []);
  const finish = (isVerified: boolean): void => {
    for (const resolve of resolvers) resolve(isVerified);
    setResolvers([]);
  };
  return resolvers.length === 0 ? null : <Asking onDone={() => finish(true)} onCancel={() => finish(false)} />;
}

function Asking({ onDone, onCancel }: { readonly onDone: () => void; readonly onCancel: () => void }) {
  const [password, setPassword] = useState('');
  const proofs = useQuery({ queryKey: ['proofs'], queryFn: ({ signal }) => loadProofs(signal), staleTime: 0 });
  const proving = useMutation({ mutationFn: (prove: () => Promise<void>) => prove(), onSuccess: onDone });
  const leaving = useMutation({
    mutationFn: () =>
      leaveForProvider('verify', 'installation', `${window.location.pathname}${window.location.search}`),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    proving.mutate(() => verifyWithPassword(password));
  };
  useWindowEvent('keydown', (event) => {
    if (event.key === 'Escape') onCancel();
  });
  // The field must be there when the dialog opens: that is where typing begins.
  if (proofs.isPending) return null;
  const { password: byPassword = false, passkey = false, provider = false } = proofs.data ?? {};
  return (
    <Dialog
      opened
      onClose={onCancel}
      title={say('verify.title')}
      zIndex={Z_INDEX}
      withCloseButton={false}
      closeOnEscape={false}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text>{say('verify.text')}</Text>
          <ProblemAlert error={proofs.error ?? proving.error ?? leaving.error} />
          {byPassword ? (
            <PasswordInput
              {...OWN_KEYS}
              label={say('sign_in.password')}
              required
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': say('sign_in.show_password'), ...OWN_KEYS }}
              data-autofocus
            />
          ) : null}
          {passkey ? (
            <Button {...OWN_KEYS} variant="default" onClick={() => proving.mutate(verifyWithPasskey)}>
              {say('passkey.use')}
            </Button>
          ) : null}
          {provider ? (
            <Button {...OWN_KEYS} variant="default" loading={leaving.isPending} onClick={() => leaving.mutate()}>
              {say('verify.provider')}
            </Button>
          ) : null}
          {proofs.isSuccess && !byPassword && !passkey && !provider ? <Text>{say('verify.nothing')}</Text> : null}
          <Group justify="flex-end">
            <Button {...OWN_KEYS} variant="default" onClick={onCancel}>
              {say('action.cancel')}
            </Button>
            {byPassword ? (
              <Button {...OWN_KEYS} type="submit" loading={proving.isPending}>
                {say('action.continue')}
              </Button>
            ) : null}
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
