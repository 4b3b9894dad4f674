import { Alert, Button, FileButton, Group, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { describeProblem } from '../api/transport/problem.ts';
import { useNetwork } from '../session/session.ts';
import { formatCount } from '../format/desk-format.ts';
import { useDeskScope } from '../session/desk-scope.ts';
import { type MessageKey, say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import { CSV } from './format/csv-columns.ts';
import type { CsvKind } from './format/csv-kinds.ts';
import { headingsOf } from './format/csv-export.ts';
import { type CsvKnown, wantedOf } from './format/csv-known.ts';
import { loadKnown } from './format/csv-objects.ts';
import { type CsvFile, type CsvProgress, dropProgress, finishPending, hashOf, readProgress } from './csv-progress.ts';
import { CSV_ROWS_MAX, type CsvFault, readTable, readText } from './format/csv-text.ts';
import { ImportPreview } from './import-preview.tsx';

type Step =
  | { readonly kind: 'choose'; readonly problem: string | null }
  | { readonly kind: 'working'; readonly text: string }
  | { readonly kind: 'interrupted'; readonly file: CsvFile; readonly progress: CsvProgress }
  | {
      readonly kind: 'preview';
      readonly file: CsvFile;
      readonly known: CsvKnown;
      readonly made: ReadonlyMap<number, string>;
    };

const TITLES: Readonly<Record<CsvKind, MessageKey>> = {
  lineItems: 'nav.line_items',
  campaigns: 'nav.campaigns',
  advertisers: 'nav.advertisers',
  sites: 'nav.sites',
  adUnits: 'nav.ad_units',
  keyValues: 'nav.key_values',
  deals: 'nav.deals',
  advertisingProducts: 'nav.products',
  segments: 'nav.segments',
};

/** From the choice of a file to its preview: it is read, and what it names is looked up. */
function useSteps(kind: CsvKind) {
  const scope = useDeskScope();
  const [step, setStep] = useState<Step>({ kind: 'choose', problem: null });
  const work = async (run: () => Promise<Step>): Promise<void> => {
    setStep({ kind: 'working', text: say('csv.reading', { count: 0 }) });
    try {
      setStep(await run());
    } catch (error) {
      setStep({ kind: 'choose', problem: describeProblem(error) });
    }
  };
  const look = async (file: CsvFile, made: ReadonlyMap<number, string>): Promise<Step> => {
    const onProgress = (count: number): void =>
      setStep({ kind: 'working', text: say('csv.looking_up', { count: formatCount(count) }) });
    const known = await loadKnown(scope, kind, wantedOf(kind, file.table, made), onProgress);
    return { kind: 'preview', file, known, made };
  };
  const open = (chosen: File | null): Promise<void> =>
    work(async () => {
      if (chosen === null) return { kind: 'choose', problem: null };
      const file = await readFile(kind, chosen);
      if ('fault' in file) return { kind: 'choose', problem: sayFault(file) };
      const progress = readProgress(scope, kind, { hash: file.hash, nowMs: Date.now() });
      return progress === null ? look(file, new Map()) : { kind: 'interrupted', file, progress };
    });
  const goOn = (file: CsvFile, progress: CsvProgress): Promise<void> =>
    work(async () => look(file, await finishPending(scope, progress)));
  const startAgain = (file: CsvFile): Promise<void> =>
    work(() => {
      dropProgress(scope, kind);
      return look(file, new Map());
    });
  return { step, setStep, open, goOn, startAgain };
}

/** Makes and changes objects from a file: it is read, looked up and validated, shown, and stored once a person confirms it. */
export function ImportDialog({
  kind,
  onTemplate,
  onClose,
}: {
  readonly kind: CsvKind;
  onTemplate: () => void;
  onClose: () => void;
}) {
  const timezone = useNetwork()?.timezone ?? 'UTC';
  const { step, setStep, open, goOn, startAgain } = useSteps(kind);
  const [isStoring, setStoring] = useState(false);
  return (
    <Dialog
      opened
      onClose={isStoring ? () => undefined : onClose}
      closeOnClickOutside={false}
      size={step.kind === 'preview' ? 'xl' : 'lg'}
      title={say('csv.title', { what: say(TITLES[kind]) })}
    >
      {step.kind === 'choose' ? <Choosing problem={step.problem} onFile={open} onTemplate={onTemplate} /> : null}
      {step.kind === 'working' ? <Text component="output">{step.text}</Text> : null}
      {step.kind === 'interrupted' ? (
        <Stack>
          <Text>{say('csv.interrupted', { count: step.progress.made.length })}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => void startAgain(step.file)}>
              {say('csv.start_again')}
            </Button>
            <Button data-autofocus onClick={() => void goOn(step.file, step.progress)}>
              {say('csv.go_on')}
            </Button>
          </Group>
        </Stack>
      ) : null}
      {step.kind === 'preview' ? (
        <ImportPreview
          kind={kind}
          file={step.file}
          known={step.known}
          made={step.made}
          timezone={timezone}
          onStoring={setStoring}
          onBack={() => setStep({ kind: 'choose', problem: null })}
          onClose={onClose}
        />
      ) : null}
    </Dialog>
  );
}

function Choosing({
  problem,
  onFile,
  onTemplate,
}: {
  readonly problem: string | null;
  onFile: (file: File | null) => Promise<void>;
  onTemplate: () => void;
}) {
  return (
    <Stack>
      {problem === null ? null : (
        <Alert color="red" variant="outline" role="alert" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
          {problem}
        </Alert>
      )}
      <List size="sm" spacing={4}>
        <List.Item>{say('csv.help_ids')}</List.Item>
        <List.Item>{say('csv.help_lists')}</List.Item>
        <List.Item>{say('csv.help_preview', { max: formatCount(CSV_ROWS_MAX) })}</List.Item>
      </List>
      <Group justify="flex-end">
        <Button variant="default" onClick={onTemplate}>
          {say('csv.template')}
        </Button>
        <FileButton accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values" onChange={(file) => void onFile(file)}>
          {(props) => (
            <Button {...props} data-autofocus>
              {say('csv.choose')}
            </Button>
          )}
        </FileButton>
      </Group>
    </Stack>
  );
}

async function readFile(kind: CsvKind, chosen: File): Promise<CsvFile | CsvFault> {
  const text = await readText(chosen);
  if (typeof text !== 'string') return text;
  const table = readTable(text);
  if ('fault' in table) return table;
  const headings = headingsOf(CSV[kind]);
  if (!table.heading.some((name) => name !== 'version' && headings.includes(name)))
    return { fault: 'no_columns', what: headings.slice(0, 4).join(', ') };
  return { table, hash: await hashOf(text) };
}

function sayFault({ fault, what }: CsvFault): string {
  return say(`csv.fault_${fault}`, { what, max: formatCount(CSV_ROWS_MAX) });
}
