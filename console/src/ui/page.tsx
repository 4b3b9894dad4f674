import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

/** The page that the browser opened keeps its own start; only those after it move the focus. */
let isFirst = true;

/** A page's frame: its title (which gets the focus when the page opens), what it is for, and its actions. */
export function Page({
  title,
  lead,
  beside,
  actions,
  children,
}: {
  readonly title: string;
  readonly lead?: string;
  /** Between the title and the actions, in their line, such as tabs. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Placard`;
    const nowhere = document.activeElement === null || document.activeElement === document.body;
    if (nowhere && !isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, [title]);
  return (
    <Stack gap={beside === undefined ? 'lg' : 'sm'}>
      <Group justify="space-between" align={beside === undefined ? 'flex-start' : 'center'}>
        <Box>
          <Title order={1} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
            {title}
          </Title>
          {lead === undefined ? null : (
            <Text c="dimmed" maw="65ch" style={{ textWrap: 'pretty' }}>
              {lead}
            </Text>
          )}
        </Box>
        {beside === undefined ? null : <Box className="page-beside">{beside}</Box>}
        {actions === undefined || actions === null ? null : (
          <Group gap="xs" className="page-actions">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  );
}
