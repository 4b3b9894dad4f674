import { Button, Checkbox, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { formatCount } from '../format/desk-format.ts';
import { useDeskScope } from '../session/desk-scope.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { checkPlan, rowsToStore } from './csv-check.ts';
import type { CsvKind } from './format/csv-kinds.ts';
import type { CsvKnown } from './format/csv-known.ts';
import { type CsvPlan, planImport } from './csv-plan.ts';
import { countRows, type ReviewedRow, reviewRows } from './csv-review.ts';
import type { CsvFile } from './csv-progress.ts';
import { ImportRun } from './import-run.tsx';
import { RowList, SaveRefused } from './import-table.tsx';

const NAMES_SHOWN = 5;

interface ImportPreviewProps {
  readonly kind: CsvKind;
  readonly file: CsvFile;
  readonly known: CsvKnown;
  /** Lines that were made before an interruption. */
  readonly made: ReadonlyMap<number, string>;
  readonly timezone: string;
  /** Told when lines begin to be stored, and when that ends. */
  onStoring: (isStoring: boolean) => void;
  onBack: () => void;
  onClose: () => void;
}

/** The plan of a file, with or without the parents that are missing, and what the server says of its lines. */
function useChecked({ kind, file, known, made, timezone }: ImportPreviewProps) {
  const scope = useDeskScope();
  const [makesMissing, setMakesMissing] = useState(false);
  const [checked, setChecked] = useState(0);
  const plans = useMemo(() => {
    const planOf = (makes: boolean): CsvPlan =>
      planImport(kind, file.table, known, { timezone, makesMissing: makes, made });
    return { without: planOf(false), making: planOf(true) };
  }, [kind, file, known, timezone, made]);
  const plan = makesMissing ? plans.making : plans.without;
  const check = useQuery({
    queryKey: ['csv-check', scope.environment, scope.networkId, kind, file.hash, makesMissing],
    queryFn: ({ signal }) => {
      setChecked(0);
      return checkPlan(scope, plan, { signal, onProgress: setChecked });
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const rows = useMemo(() => reviewRows(plan, check.data ?? new Map()), [plan, check.data]);
  return { plan, missing: plans.making.missing, makesMissing, setMakesMissing, check, checked, rows };
}

/** What a file does, line by line, as the server validates it. Nothing is stored here. */
export function ImportPreview(props: ImportPreviewProps) {
  const { kind, file, made, onBack, onClose } = props;
  const { plan, missing, makesMissing, setMakesMissing, check, checked, rows } = useChecked(props);
  const [confirmed, setConfirmed] = useState<{ readonly plan: CsvPlan; readonly rows: readonly ReviewedRow[] } | null>(
    null,
  );
  const counts = countRows(rows);
  if (confirmed !== null)
    return (
      <ImportRun
        plan={confirmed.plan}
        rows={confirmed.rows}
        file={file}
        earlier={made}
        onStoring={props.onStoring}
        onClose={onClose}
      />
    );
  return (
    <Stack>
      <ProblemAlert error={check.error} onRetry={() => void check.refetch()} />
      {plan.leftOut.length === 0 ? null : (
        <Text size="sm">{say('csv.left_out', { names: namesOf(plan.leftOut) })}</Text>
      )}
      {missing.length === 0 ? null : (
        <Checkbox
          checked={makesMissing}
          onChange={({ currentTarget }) => setMakesMissing(currentTarget.checked)}
          label={say(kind === 'campaigns' ? 'csv.make_advertisers' : 'csv.make_campaigns', {
            count: missing.length,
          })}
          description={namesOf(missing.map(({ name }) => name))}
        />
      )}
      {check.isFetching ? <Checking done={checked} total={rowsToStore(plan).length} /> : null}
      <RowList rows={rows} />
      <Group justify="space-between">
        <Group gap="xs">
          {counts.refused === 0 || check.data === undefined ? null : <SaveRefused table={file.table} rows={rows} />}
        </Group>
        <Group gap="xs">
          <Button variant="default" onClick={onBack}>
            {say('csv.another')}
          </Button>
          <Button
            disabled={check.data === undefined || counts.make + counts.change === 0}
            onClick={() => setConfirmed({ plan, rows })}
            data-autofocus
          >
            {say('csv.confirm', { make: counts.make, change: counts.change })}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN);
  const rest = names.length > NAMES_SHOWN ? [`+${formatCount(names.length - NAMES_SHOWN)}`] : [];
  return new Intl.ListFormat(currentLocale()).format([...shown, ...rest]);
}

function Checking({ done, total }: { readonly done: number; readonly total: number }) {
  const text = say('csv.checking', { done: formatCount(done), total: formatCount(total) });
  return (
    <div>
      <Text size="sm" component="output">
        {text}
      </Text>
      <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label={text} mt={4} />
    </div>
  );
}
