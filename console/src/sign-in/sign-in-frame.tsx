import { Box, Center, Group, NativeSelect, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { currentLanguage, switchLanguage } from '../messages/language.ts';
import { isLanguage, LANGUAGE_CODES, LANGUAGES } from '../messages/languages.ts';
import { say } from '../messages/say.ts';

/** The frame of pages that need no sign-in. */
export function SignInFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Placard`;
  }, [title]);
  return (
    <Center mih="100vh" p="md" component="main" bg="var(--placard-surface)">
      <Box w="100%" maw={400}>
        <Stack gap="md">
          <Group justify="space-between">
            <span className="brand">
              <img src="/favicon.svg" alt="" width={32} height={32} />
              Placard
            </span>
            <LanguageChoice />
          </Group>
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

function LanguageChoice() {
  return (
    <NativeSelect
      aria-label={say('language.title')}
      size="xs"
      value={currentLanguage()}
      data={LANGUAGE_CODES.map((language) => ({ value: language, label: LANGUAGES[language].name }))}
      onChange={({ currentTarget: { value } }) => {
        if (isLanguage(value)) switchLanguage(value);
      }}
    />
  );
}

/** Where to go after signing in: an address of our own, and nowhere else. */
export function safeNext(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])(?!sign-in(?:[/?#]|$))/.test(next) ? next : '/desk';
}
