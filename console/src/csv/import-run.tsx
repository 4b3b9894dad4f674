import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../format/desk-format.ts';
import { offerUndo } from '../changes/undo.tsx';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import type { CsvPlan } from './csv-plan.ts';
import { dropProgress, writeProgress, type CsvFile } from './csv-progress.ts';
import { countRows, type ReviewedRow } from './csv-review.ts';
import { beginRun, continueRun, type CsvRun, undoSteps } from './csv-run.ts';
import { RowList, SaveRefused } from './import-table.tsx';

interface ImportRunProps {
  readonly plan: CsvPlan;
  readonly rows: readonly ReviewedRow[];
  readonly file: CsvFile;
  readonly earlier: ReadonlyMap<number, string>;
  /** Told when lines begin to be stored, and when that ends. */
  onStoring: (isStoring: boolean) => void;
  onClose: () => void;
}

/** The run through the confirmed lines. It begins at once, and only once. */
function useRun({ plan, rows, file, earlier, onStoring, onClose }: ImportRunProps) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const [run] = useState<CsvRun>(() => {
    const valid = new Set(rows.filter(({ action }) => action !== 'refused').map(({ line }) => line));
    return beginRun(scope, plan, { id: crypto.randomUUID(), isValid: (line) => valid.has(line) });
  });
  const [startedMs] = useState(() => Date.now());
  const [done, setDone] = useState(0);
  const [after, setAfter] = useState<{ readonly result: string; readonly rows: readonly ReviewedRow[] } | null>(null);
  const isStopped = useRef(false);
  const total = countRows(rows).make + countRows(rows).change;
  const storing = useMutation({
    onMutate: () => onStoring(true),
    onSettled: () => onStoring(false),
    mutationFn: async () => {
      isStopped.current = false;
      const onStep = (): void => {
        writeProgress(run, { hash: file.hash, startedMs, earlier });
        setDone(run.lines.size);
      };
      await continueRun(run, { onStep, isStopped: () => isStopped.current });
      if (isStopped.current) return;
      dropProgress(scope, plan.kind);
      const [first, ...also] = undoSteps(run, earlier);
      if (first !== undefined) offerUndo(client, { scope, ...first, also, text: resultOf(run) });
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      const outcome = rows.map((row) => afterRun(run, row));
      if (outcome.some(({ action }) => action === 'refused')) setAfter({ result: resultOf(run), rows: outcome });
      else onClose();
    },
  });
  const { mutate } = storing;
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!hasBegun.current) mutate();
    hasBegun.current = true;
  }, [mutate]);
  const stop = (): void => {
    isStopped.current = true;
  };
  return { storing, stop, done, total, after };
}

/** Stores the lines that a person has confirmed, portion by portion. It can be stopped, and goes on where it stopped. */
export function ImportRun(props: ImportRunProps) {
  const { file, onClose } = props;
  const { storing, stop, done, total, after } = useRun(props);
  const text = say('csv.storing', { done: formatCount(done), total: formatCount(total) });
  if (after !== null) return <Refused result={after.result} rows={after.rows} file={file} onClose={onClose} />;
  return (
    <Stack>
      <ProblemAlert error={storing.error} />
      <div>
        <Text component="output">{text}</Text>
        <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label={text} mt={4} />
      </div>
      {storing.isPending ? null : <Text size="sm">{say('csv.stopped')}</Text>}
      <Group justify="flex-end">
        {storing.isPending ? (
          <Button variant="default" onClick={stop}>
            {say('csv.stop')}
          </Button>
        ) : (
          <>
            <Button variant="default" onClick={onClose}>
              {say('action.close')}
            </Button>
            <Button onClick={() => storing.mutate()} data-autofocus>
              {say('csv.go_on')}
            </Button>
          </>
        )}
      </Group>
    </Stack>
  );
}

/** What was stored, and the lines that were not. */
function Refused({
  result,
  rows,
  file,
  onClose,
}: {
  readonly result: string;
  readonly rows: readonly ReviewedRow[];
  readonly file: CsvFile;
  onClose: () => void;
}) {
  return (
    <Stack>
      <Alert color="orange" variant="outline" role="alert" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
        {result} {say('csv.some_refused', { count: countRows(rows).refused })}
      </Alert>
      <RowList rows={rows} />
      <Group justify="flex-end">
        <SaveRefused table={file.table} rows={rows} />
        <Button onClick={onClose} data-autofocus>
          {say('action.done')}
        </Button>
      </Group>
    </Stack>
  );
}

/** What was stored, in words. */
function resultOf({ plan, lines }: CsvRun): string {
  const stored = plan.rows.filter(({ line }) => (lines.get(line)?.object ?? null) !== null);
  return say('csv.done', { make: countRows(stored).make, change: countRows(stored).change });
}

/** A line after the run: one that the server refused, or that it said something of. */
function afterRun({ lines }: CsvRun, row: ReviewedRow): ReviewedRow {
  const outcome = lines.get(row.line)?.outcome;
  if (outcome === undefined || outcome.problems.length === 0) return row;
  return { ...row, problems: outcome.problems, action: 'refused' };
}
