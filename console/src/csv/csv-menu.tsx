import { Button, Menu, Text } from '@mantine/core';
import { useState } from 'react';
import type { LineItemTab } from '../api/bookings/desk-list.ts';
import { describeProblem } from '../api/transport/problem.ts';
import { useCanEdit } from '../session/session.ts';
import { formatCount } from '../format/desk-format.ts';
import { useDeskScope } from '../session/desk-scope.ts';
import { saveFile } from '../ui/save-file.ts';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { CsvKind } from './format/csv-kinds.ts';
import { ImportDialog } from './later-import.ts';

const ROWS_MAX = 10_000;
const CSV_TYPE = 'text/csv;charset=utf-8';

type Step = 'import' | { readonly text: string };

/** A table as a file, a file to write new objects into, and objects from a file. */
export function CsvMenu({
  kind,
  tab,
  filter,
}: {
  readonly kind: CsvKind;
  /** Of line items. */
  readonly tab: LineItemTab | null;
  readonly filter: object;
}) {
  const scope = useDeskScope();
  const canEdit = useCanEdit();
  const [step, setStep] = useState<Step | null>(null);
  const save = async (): Promise<void> => {
    try {
      const [{ loadRecords }, { writeRecords }] = await Promise.all([
        import('./format/csv-objects.ts'),
        import('./format/csv-export.ts'),
      ]);
      const onProgress = (count: number): void => setStep({ text: say('csv.reading', { count: formatCount(count) }) });
      const records = await loadRecords(scope, { kind, tab, filter }, { max: ROWS_MAX, onProgress });
      saveFile(fileName(kind), writeRecords(kind, records), CSV_TYPE);
      const isCut = records.length === ROWS_MAX;
      setStep(isCut ? { text: say('csv.cut', { max: formatCount(ROWS_MAX) }) } : null);
    } catch (error) {
      setStep({ text: describeProblem(error) });
    }
  };
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
            <>
              <Menu.Item onClick={() => void saveTemplate(kind)}>{say('csv.template')}</Menu.Item>
              <Menu.Item onClick={() => setStep('import')}>{say('csv.read')}</Menu.Item>
            </>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {step === 'import' ? (
        <ImportDialog kind={kind} onTemplate={() => void saveTemplate(kind)} onClose={close} />
      ) : null}
      {step === null || step === 'import' ? null : (
        <Dialog opened onClose={close} title={say('csv.menu')}>
          <Text component="output">{step.text}</Text>
        </Dialog>
      )}
    </>
  );
}

async function saveTemplate(kind: CsvKind): Promise<void> {
  const { writeTemplate } = await import('./format/csv-export.ts');
  saveFile(`template-${fileName(kind)}`, writeTemplate(kind), CSV_TYPE);
}

function fileName(kind: CsvKind): string {
  return `${kind.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.csv`;
}
