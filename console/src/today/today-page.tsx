import { Group, Paper, Stack, Title } from '@mantine/core';
import { say } from '../messages/say.ts';
import { Page } from '../ui/page.tsx';
import { AttentionList } from './attention-list.tsx';
import { DayFigures } from './day-figures.tsx';
import { WaitingBookings } from './waiting-bookings.tsx';
import { UndoButton } from '../changes/undo.tsx';
import { useCellContext } from '../session/desk-scope.ts';

/** What needs a person now, and the day so far. */
export function TodayPage() {
  const context = useCellContext();
  return (
    <Page title={say('nav.today')} lead={say('today.lead')}>
      <Stack gap="lg">
        <section aria-label={say('today.numbers')}>
          <DayFigures context={context} />
        </section>
        <WaitingBookings />
        <Paper withBorder p="md" component="section" aria-label={say('attention.title')}>
          <Group justify="space-between">
            <Title order={2}>{say('attention.title')}</Title>
            <UndoButton />
          </Group>
          <AttentionList />
        </Paper>
      </Stack>
    </Page>
  );
}
