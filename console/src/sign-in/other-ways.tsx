import { Button, Divider, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { leaveForProvider, loadMethods } from '../api/account/identity.ts';
import { canUsePasskeys, signInWithPasskey } from '../api/account/passkeys.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';

/** Signing in without a password here: with a passkey, or with a provider of the installation or of the network of the address. */
export function OtherWays({
  network,
  next,
  onSignedIn,
}: {
  readonly network: string | undefined;
  readonly next: string;
  onSignedIn: () => void;
}) {
  const methods = useQuery({
    queryKey: ['sign-in-methods', network ?? ''],
    queryFn: ({ signal }) => loadMethods(network, signal),
  });
  const byPasskey = useMutation({ mutationFn: signInWithPasskey, onSuccess: onSignedIn });
  const leaving = useMutation({ mutationFn: (provider: string) => leaveForProvider('start', provider, next) });
  const { providers = [] } = methods.data ?? {};
  const passkeys = methods.data?.passkeys === true && canUsePasskeys();
  if (!passkeys && providers.length === 0) return null;
  return (
    <Stack>
      <Divider label={say('sign_in.or')} labelPosition="center" />
      <ProblemAlert error={byPasskey.error ?? leaving.error} />
      {passkeys ? (
        <Button variant="default" loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
          {say('passkey.sign_in')}
        </Button>
      ) : null}
      {providers.map(({ id, name }) => (
        <Button key={id} variant="default" loading={leaving.isPending} onClick={() => leaving.mutate(id)}>
          {say('sign_in.with', { name })}
        </Button>
      ))}
    </Stack>
  );
}
