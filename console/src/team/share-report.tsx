import { Alert, Button, Checkbox, CopyButton, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { loadShares, type ReportShare, revokeShare, shareReport, stateOfShare } from '../api/reports/report-shares.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { formatInstant } from '../format/format-value.ts';
import { NumberValueField } from '../format/number-field.tsx';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { useNow } from '../ui/use-now.ts';

const DAYS_MAX = 366;
const USUAL_DAYS = 30;

/** Shares the report of a campaign by links that expire. */
export function ShareReport({ campaignId, name }: { readonly campaignId: string; readonly name: string }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<Icon name="share" size={16} />} onClick={() => setOpened(true)}>
        {say('shares.action')}
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title={say('shares.title')} size="lg">
        {opened ? <Shares campaignId={campaignId} name={name} /> : null}
      </Dialog>
    </>
  );
}

function Shares({ campaignId, name }: { readonly campaignId: string; readonly name: string }) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const queryKey = [...deskKey(scope), 'shares', campaignId];
  const shares = useQuery({ queryKey, queryFn: ({ signal }) => loadShares(scope, campaignId, signal) });
  const [form, setForm] = useState({ name, showsSpend: false });
  const [days, setDays] = useState<number | null>(USUAL_DAYS);
  const making = useMutation({
    mutationFn: () => shareReport(scope, { campaignId, days: days ?? USUAL_DAYS, ...form }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    making.mutate();
  };
  return (
    <Stack>
      <Text>{say('shares.explain')}</Text>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <ProblemAlert error={making.error} />
          <Group gap="sm" align="flex-end">
            <TextInput
              label={say('shares.name')}
              value={form.name}
              maxLength={200}
              required
              style={{ flex: '1 1 12rem' }}
              onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
            />
            <NumberValueField
              label={say('shares.days')}
              value={days}
              isWhole
              min={1}
              max={DAYS_MAX}
              w={160}
              onChange={setDays}
            />
          </Group>
          <Checkbox
            label={say('shares.spend')}
            checked={form.showsSpend}
            onChange={(event) => setForm({ ...form, showsSpend: event.currentTarget.checked })}
          />
          <Group>
            <Button type="submit" loading={making.isPending} disabled={days === null}>
              {say('shares.make')}
            </Button>
          </Group>
        </Stack>
      </form>
      {making.data === undefined ? null : <NewLink url={`${window.location.origin}${making.data}`} />}
      <ProblemAlert error={shares.error} onRetry={() => void shares.refetch()} />
      {shares.data === undefined || shares.data.length === 0 ? null : (
        <Stack gap="xs">
          <Title order={3} size="h4">
            {say('shares.existing')}
          </Title>
          {shares.data.map((share) => (
            <ShareLine key={share.id} share={share} queryKey={queryKey} />
          ))}
        </Stack>
      )}
    </Stack>
  );
}

function NewLink({ url }: { readonly url: string }) {
  return (
    <Alert color="blue" variant="outline" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
      <Stack gap="xs">
        <Text size="sm">{say('shares.once')}</Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <a href={url} target="_blank" rel="noreferrer">
            {url}
          </a>
        </Text>
        <CopyButton value={url}>
          {({ copied, copy }) => (
            <Group>
              <Button
                variant="default"
                leftSection={<Icon name={copied ? 'check' : 'copy'} size={16} />}
                onClick={copy}
              >
                {say(copied ? 'state.copied' : 'action.copy')}
              </Button>
            </Group>
          )}
        </CopyButton>
      </Stack>
    </Alert>
  );
}

function ShareLine({ share, queryKey }: { readonly share: ReportShare; readonly queryKey: readonly string[] }) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const nowMs = useNow();
  const revoking = useMutation({
    mutationFn: () => revokeShare(scope, share.id),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
  const works = stateOfShare(share, nowMs) === 'active';
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" style={{ flex: '1 1 12rem', overflowWrap: 'anywhere' }}>
        <bdi>{share.name}</bdi>
        {' · '}
        {works
          ? say('shares.opened', { count: share.opened, until: formatInstant(share.expiresAt) })
          : say('shares.ended')}
      </Text>
      <ProblemAlert error={revoking.error} />
      {works ? (
        <Button
          size="xs"
          variant="default"
          loading={revoking.isPending}
          aria-label={say('shares.revoke_one', { name: share.name })}
          onClick={() => revoking.mutate()}
        >
          {say('shares.revoke')}
        </Button>
      ) : null}
    </Group>
  );
}
