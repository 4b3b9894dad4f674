import { Group, Paper, Stack, Title } from '@mantine/core';
import { UndoButton } from '../changes/undo.tsx';
import { say } from '../messages/say.ts';
import { useCellContext } from '../session/desk-scope.ts';
import { Page } from '../ui/page.tsx';
import { AttentionList } from './attention-list.tsx';
import { DayFigures } from './day-figures.tsx';
import { HistoryNotice } from './history-notice.tsx';
import { InventorySection } from './inventory-section.tsx';
import { PendingCreatives } from './pending-creatives.tsx';
import { TagErrorsSection } from './tag-errors-section.tsx';
import { WaitingAgents } from './waiting-agents.tsx';
import { WaitingBookings } from './waiting-bookings.tsx';

/** Home: the day so far, what needs a person with the most money at risk first, and beside it what waits. */
export function TodayPage() {
  const context = useCellContext();
  return (
    <Page title={say('nav.today')}>
      <Stack gap="md">
        <HistoryNotice />
        <section aria-label={say('today.numbers')}>
          <DayFigures context={context} />
        </section>
        <div className="today-columns">
          <Paper withBorder p="md" component="section" aria-labelledby="attention-title" miw={0}>
            <Group justify="space-between">
              <Title order={2} size="h4" id="attention-title">
                {say('attention.title')}
              </Title>
              <UndoButton />
            </Group>
            <AttentionList />
          </Paper>
          <Stack gap="md" miw={0}>
            <WaitingAgents />
            <WaitingBookings />
            <PendingCreatives />
            <TagErrorsSection context={context} />
            <InventorySection context={context} />
          </Stack>
        </div>
      </Stack>
    </Page>
  );
}
