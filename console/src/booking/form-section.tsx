import { Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A section of a form, with its title. */
export function FormSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = `section-${title.toLowerCase().replaceAll(/\W+/g, '-')}`;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}
