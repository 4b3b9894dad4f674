import { Button, CopyButton, Group, Menu, Tabs } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { reportsPath } from '../api/reports/reports.ts';
import { useScope } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { CodeToCopy } from '../ui/code-to-copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { later } from '../ui/later.tsx';
import type { LensState } from '../reports/lens-state.ts';
import type { ReportModel } from '../reports/report-model.ts';
import { writeCubeClient, writeCurl } from '../reports/share-code.ts';
import type { LensReports } from './use-lens.ts';

const ScheduleAction = later(async () => (await import('../schedules/schedule-action.tsx')).ScheduleAction, ['team']);
const ExportMenu = later(async () => (await import('./export-menu.tsx')).ExportMenu, ['lens']);
const SavedViewsMenu = later(async () => (await import('./saved-views-menu.tsx')).SavedViewsMenu, ['lens']);

interface LensActionsProps {
  readonly state: LensState;
  readonly model: ReportModel;
  readonly reports: LensReports;
}

/** The actions on a view: save, share, export. */
export function LensActions({ state, model, reports }: LensActionsProps) {
  const [code, setCode] = useState(false);
  return (
    <Group gap="xs">
      <SavedViewsMenu state={state} />
      <Menu>
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="share" size={16} />}>
            {say('action.share')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <CopyButton value={typeof window === 'undefined' ? '' : window.location.href}>
            {({ copy }) => <Menu.Item onClick={() => copyAndSay(copy)}>{say('share.link')}</Menu.Item>}
          </CopyButton>
          <Menu.Item disabled={reports.queries === null} onClick={() => setCode(true)}>
            {say('share.code')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ScheduleAction query={reports.queries?.rows} />
      <ExportMenu {...{ state, model, reports }} />
      {code && reports.queries !== null ? <CodeDialog reports={reports} onClose={() => setCode(false)} /> : null}
    </Group>
  );
}

function copyAndSay(copy: () => void): void {
  copy();
  notifications.show({ message: say('state.copied') });
}

function CodeDialog({ reports, onClose }: { readonly reports: LensReports; onClose: () => void }) {
  const scope = useScope();
  const query = reports.queries?.rows;
  if (query === undefined) return null;
  const address = { apiUrl: `${window.location.origin}${reportsPath(scope)}` };
  return (
    <Dialog opened onClose={onClose} title={say('share.code')} size="xl">
      <Tabs defaultValue="curl">
        <Tabs.List>
          <Tabs.Tab value="curl">{say('share.curl')}</Tabs.Tab>
          <Tabs.Tab value="cube">{say('share.cube')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="curl" pt="sm">
          <CodeToCopy text={writeCurl(address, query)} />
        </Tabs.Panel>
        <Tabs.Panel value="cube" pt="sm">
          <CodeToCopy text={writeCubeClient(address, query)} />
        </Tabs.Panel>
      </Tabs>
    </Dialog>
  );
}
