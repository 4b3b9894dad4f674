/* oxlint-disable jsx-a11y/prefer-tag-over-role -- `output` is for results of a form */
import { Anchor, Button, Center, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { describeProblem } from '../api/transport/problem.ts';
import { isolate } from '../messages/isolate.ts';
import { say } from '../messages/say.ts';

/** Shown while a page's code or data is on its way. */
export function LoadingPage() {
  return (
    <Center mih="40vh" role="status" aria-label={say('state.loading')}>
      <Loader />
    </Center>
  );
}

/** Shown in place of a list that has nothing: what the list is for, and the one next step. */
export function EmptyState({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <Paper withBorder p="lg" className="empty-state">
      <Stack gap="sm" align="flex-start">
        <Text component="output" maw="65ch">
          {text}
        </Text>
        {children}
      </Stack>
    </Paper>
  );
}

/** Shown when a page cannot be drawn at all. */
export function ErrorPage({ error }: { readonly error: unknown }) {
  return (
    <Stack component="main" align="flex-start" p="xl" maw={560}>
      <Title order={1}>{say('state.broken')}</Title>
      <Text>{describeProblem(error)}</Text>
      <Button onClick={() => void reloadWhenBack()}>{say('action.reload')}</Button>
    </Stack>
  );
}

const RESPONDS_WITHIN_MS = 5_000;

/** Loads everything again once the server responds: before that, the browser would show a page of its own. */
async function reloadWhenBack(): Promise<void> {
  try {
    await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(RESPONDS_WITHIN_MS) });
  } catch {
    notifications.show({ color: 'red', message: say('error.offline') });
    return;
  }
  window.location.reload();
}

/** Shown for an address of a network that is not the person's, or that does not exist. */
export function UnknownNetworkPage({ networkId, others }: UnknownNetworkProps) {
  return (
    <Stack align="flex-start" p="xl" maw={560}>
      <Title order={1}>{say('state.unknown_network', { id: networkId })}</Title>
      <Text>{say('error.unknown_network')}</Text>
      {others.map(({ id, name }) => (
        <Anchor key={id} renderRoot={(props) => <Link to="/lens" search={{ network: id }} {...props} />}>
          {`${isolate(name)} (${id})`}
        </Anchor>
      ))}
    </Stack>
  );
}

interface UnknownNetworkProps {
  readonly networkId: string;
  /** The person's networks. */
  readonly others: readonly { readonly id: string; readonly name: string }[];
}

/** Shown for an address that leads nowhere. */
export function NotFoundPage() {
  return (
    <Stack component="main" align="flex-start" p="xl">
      <Title order={1}>{say('state.not_found')}</Title>
      <Anchor renderRoot={(props) => <Link to="/lens" {...props} />}>{say('nav.lens')}</Anchor>
    </Stack>
  );
}
