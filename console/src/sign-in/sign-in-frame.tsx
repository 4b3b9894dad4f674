import { Box, Center, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** The frame of pages that need no sign-in. */
export function SignInFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Placard`;
  }, [title]);
  return (
    <Center mih="100vh" p="md" component="main" bg="var(--placard-surface)">
      <Box w="100%" maw={400}>
        <Stack gap="md">
          <span className="brand">
            <img src="/favicon.svg" alt="" width={32} height={32} />
            Placard
          </span>
          <Paper withBorder p="lg" shadow="xs">
            <Stack gap="md">
              <Title order={1}>{title}</Title>
              {children}
            </Stack>
          </Paper>
        </Stack>
      </Box>
    </Center>
  );
}

/** Where to go after signing in: an address of our own, and nowhere else. */
export function safeNext(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])(?!sign-in(?:[/?#]|$))/.test(next) ? next : '/lens';
}
