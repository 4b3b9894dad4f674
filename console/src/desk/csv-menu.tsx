import { Button, FileButton, Menu, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type LineItemTab, type ListFilter, loadBulkRows } from '../api/desk-list.ts';
import { describeProblem } from '../api/problem.ts';
import { useCanEdit } from '../app/session.ts';
import { saveFile } from '../lens/export-csv.ts';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { BulkPlan } from './bulk-plan.ts';
import { ChangesDialog } from './changes-dialog.tsx';
import { CSV_ROWS_MAX, planCsv, readCsv, writeCsv } from './csv-table.ts';
import { formatCount } from './desk-format.ts';
import { useDeskScope } from './use-desk-list.ts';

const IDS_MAX = 100;

type Step =
  | { readonly kind: 'working'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'plan'; readonly plan: BulkPlan };

/** Line items as a file, and changes from one: edit it in a spreadsheet, and look at each change before it is made. */
export function CsvMenu({ tab, filter }: { readonly tab: LineItemTab | null; readonly filter: ListFilter }) {
  const scope = useDeskScope();
  const canEdit = useCanEdit();
  const [step, setStep] = useState<Step | null>(null);
  const work = async (run: () => Promise<void>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      setStep({ kind: 'failed', text: describeProblem(error) });
    }
  };
  const progress = (count: number): void =>
    setStep({ kind: 'working', text: say('csv.reading', { count: formatCount(count) }) });
  const save = (): Promise<void> =>
    work(async () => {
      const rows = await loadBulkRows(scope, { tab, filter }, { max: CSV_ROWS_MAX, onProgress: progress });
      saveFile('line-items.csv', writeCsv(rows), 'text/csv;charset=utf-8');
      setStep(null);
    });
  const read = (file: File | null): Promise<void> =>
    work(async () => {
      if (file === null) return;
      const lines = readCsv(await file.text());
      if (typeof lines === 'string')
        return setStep({ kind: 'failed', text: say(lines, { max: formatCount(CSV_ROWS_MAX) }) });
      const ids = [...new Set(lines.map(({ id = '' }) => id).filter((id) => /^\d{1,18}$/.test(id)))];
      const known = new Map();
      for (let at = 0; at < ids.length; at += IDS_MAX) {
        const part = { tab: null, filter: { ids: ids.slice(at, at + IDS_MAX) } };
        for (const row of await loadBulkRows(scope, part, { max: IDS_MAX })) known.set(row.id, row);
        progress(known.size);
      }
      return setStep({ kind: 'plan', plan: planCsv(lines, known) });
    });
  const close = (): void => setStep(null);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default">
            {say('csv.menu')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void save()}>{say('csv.save')}</Menu.Item>
          {canEdit ? (
            <FileButton accept=".csv,text/csv" onChange={(file) => void read(file)}>
              {(props) => (
                <Menu.Item closeMenuOnClick={false} {...props}>
                  {say('csv.read')}
                </Menu.Item>
              )}
            </FileButton>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {step?.kind === 'working' || step?.kind === 'failed' ? (
        <Dialog opened onClose={close} title={say('csv.menu')}>
          <Stack>
            <Text component="output">{step.text}</Text>
          </Stack>
        </Dialog>
      ) : null}
      {step?.kind === 'plan' ? <ChangesDialog kind="lineItem" plan={step.plan} onDone={close} onClose={close} /> : null}
    </>
  );
}
