/* oxlint-disable jsx-a11y/prefer-tag-over-role -- `output` is for results of a form */
import { Anchor, Button, Center, Loader, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { describeProblem } from '../api/problem.ts';
import { say } from '../messages/say.ts';

/** Shown while a page's code or data is on its way. */
export function LoadingPage() {
  return (
    <Center mih="40vh" role="status" aria-label={say('state.loading')}>
      <Loader />
    </Center>
  );
}

/** Shown when a page cannot be drawn at all. */
export function ErrorPage({ error }: { readonly error: unknown }) {
  return (
    <Stack component="main" align="flex-start" p="xl" maw={560}>
      <Title order={1}>{say('state.broken')}</Title>
      <Text>{describeProblem(error)}</Text>
      <Button onClick={() => window.location.reload()}>{say('action.reload')}</Button>
    </Stack>
  );
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
