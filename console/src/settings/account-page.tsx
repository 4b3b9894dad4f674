import { Alert, Badge, Button, Code, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  changePassword,
  confirmSecondFactor,
  endOtherSessions,
  endSession,
  listSessions,
  removeSecondFactor,
  type SessionEntry,
  startSecondFactor,
} from '../api/account/auth.ts';
import { fieldMessage } from '../api/transport/problem.ts';
import { useSession } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Instant } from '../ui/instant.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { SecretOnce } from '../ui/secret-once.tsx';
import { type SettingsColumn, SettingsTable } from '../ui/settings-table.tsx';
import { IdentitiesSection } from './identities-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { nameBrowser } from './browser-name.ts';
import { AddressForm } from './address-form.tsx';

/** One's own password, second factor and sign-ins. */
export function AccountPage() {
  const { user, limitedTo } = useSession();
  return (
    <Page title={say('nav.account')} lead={user.email}>
      <Sessions />
      {limitedTo === null ? (
        <>
          <PasswordForm />
          <AddressForm />
          <SecondFactor />
          <PasskeysSection />
          <IdentitiesSection />
        </>
      ) : (
        <Alert variant="outline" color="gray" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
          {say('account.limited')}
        </Alert>
      )}
    </Page>
  );
}

function Sessions() {
  const client = useQueryClient();
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: ({ signal }) => listSessions(signal) });
  const refresh = (): void => void client.invalidateQueries({ queryKey: ['sessions'] });
  const ending = useMutation({ mutationFn: (id: string) => endSession(id), onSettled: refresh });
  const endingOthers = useMutation({ mutationFn: endOtherSessions, onSettled: refresh });
  const columns: SettingsColumn<SessionEntry>[] = [
    {
      title: say('sessions.browser'),
      render: (one) => (
        <>
          <Text size="sm" title={one.userAgent}>
            {nameBrowser(one.userAgent)}
          </Text>
          {one.current ? (
            <Badge variant="outline" c="var(--mantine-color-text)">
              {say('sessions.current')}
            </Badge>
          ) : null}
        </>
      ),
    },
    { title: say('column.address'), render: (one) => one.remoteAddress },
    { title: say('sessions.since'), render: (one) => <Instant at={one.createdAt} /> },
    { title: say('sessions.last_seen'), render: (one) => <Instant at={one.lastSeenAt} /> },
    {
      title: say('column.actions'),
      isAction: true,
      render: (one) =>
        one.current ? null : (
          <Button size="xs" variant="default" onClick={() => ending.mutate(one.id)}>
            {say('sessions.end')}
          </Button>
        ),
    },
  ];
  return (
    <Stack component="section" aria-labelledby="account-sessions">
      <Group justify="space-between">
        <Title order={2} id="account-sessions">
          {say('sessions.title')}
        </Title>
        <Button
          variant="default"
          onClick={() => endingOthers.mutate()}
          loading={endingOthers.isPending}
          disabled={(sessions.data?.length ?? 0) < 2}
        >
          {say('sessions.end_others')}
        </Button>
      </Group>
      <ProblemAlert error={sessions.error ?? ending.error ?? endingOthers.error} />
      <SettingsTable
        label={say('sessions.title')}
        columns={columns}
        rows={sessions.data ?? []}
        rowKey={(one) => one.id}
        empty=""
      />
    </Stack>
  );
}

function PasswordForm() {
  const { user } = useSession();
  const [next, setNext] = useState('');
  const changing = useMutation({
    mutationFn: () => changePassword(next),
    onSuccess: () => {
      setNext('');
      notifications.show({ message: say('account.password_changed') });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    changing.mutate();
  };
  const toggle = { 'aria-label': say('sign_in.show_password') };
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={420}>
        <Title order={2}>{say('account.password')}</Title>
        <ProblemAlert error={changing.error} />
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordInput
          label={say('account.new_password')}
          description={say('account.password_hint')}
          required
          autoComplete="new-password"
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
          visibilityToggleButtonProps={toggle}
          error={fieldMessage(changing.error, 'password')}
        />
        <Group>
          <Button type="submit" loading={changing.isPending}>
            {say('account.change_password')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type FactorStep =
  | { readonly kind: 'code'; readonly secret: string; readonly uri: string }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

function SecondFactor() {
  const { user } = useSession();
  const [step, setStep] = useState<FactorStep | null>(null);
  const client = useQueryClient();
  const refresh = (): void => void client.invalidateQueries({ queryKey: ['session'] });
  const starting = useMutation({
    mutationFn: startSecondFactor,
    onSuccess: (made) => setStep({ kind: 'code', ...made }),
  });
  const removing = useMutation({ mutationFn: removeSecondFactor, onSuccess: refresh });
  return (
    <Stack component="section" aria-labelledby="account-factor" align="flex-start">
      <Title order={2} id="account-factor">
        {say('factor.title')}
      </Title>
      <Text>{say(user.secondFactor ? 'factor.on' : 'factor.off')}</Text>
      <ProblemAlert error={starting.error ?? removing.error} />
      <Button
        variant="default"
        loading={starting.isPending || removing.isPending}
        onClick={() => (user.secondFactor ? removing.mutate() : starting.mutate())}
      >
        {say(user.secondFactor ? 'factor.remove' : 'factor.set_up')}
      </Button>
      {step?.kind === 'code' ? (
        <FactorCode
          {...step}
          onClose={() => setStep(null)}
          onConfirmed={(codes) => {
            setStep({ kind: 'codes', codes });
            refresh();
          }}
        />
      ) : null}
      {step?.kind === 'codes' ? (
        <SecretOnce
          title={say('factor.codes')}
          secrets={[{ label: say('factor.codes_label'), value: step.codes.join(' ') }]}
          onClose={() => setStep(null)}
        />
      ) : null}
    </Stack>
  );
}

function FactorCode({
  secret,
  uri,
  onClose,
  onConfirmed,
}: {
  readonly secret: string;
  readonly uri: string;
  onClose: () => void;
  onConfirmed: (codes: readonly string[]) => void;
}) {
  const [code, setCode] = useState('');
  const confirming = useMutation({ mutationFn: () => confirmSecondFactor(code), onSuccess: onConfirmed });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    confirming.mutate();
  };
  return (
    <Dialog opened onClose={onClose} title={say('factor.set_up')} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text>{say('factor.enter_secret')}</Text>
          <Code block>{secret.replace(/(.{4})/g, '$1 ').trim()}</Code>
          <Text size="sm">
            <a href={uri}>{say('factor.open_app')}</a>
          </Text>
          <ProblemAlert error={confirming.error} />
          <TextInput
            label={say('sign_in.code')}
            required
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={fieldMessage(confirming.error, 'code')}
            data-autofocus
          />
          <Button type="submit" loading={confirming.isPending}>
            {say('factor.confirm')}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}
