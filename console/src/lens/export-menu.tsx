import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { describeProblem } from '../api/transport/problem.ts';
import { reportsPath } from '../api/reports/reports.ts';
import { sendForFile } from '../api/transport/send.ts';
import { useScope } from '../session/session.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { exportCsv } from '../api/reports/export-csv.ts';
import { saveFile } from '../ui/save-file.ts';
import { groupKeysOf, timeKeyOf } from '../reports/lens-query.ts';
import type { LensState } from '../reports/lens-state.ts';
import { titleOf } from '../charts/member-titles.ts';
import type { ReportModel } from '../reports/report-model.ts';
import type { LensReports } from './use-lens.ts';

/** What spreadsheets of some countries need to read a CSV file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
const MEGABYTE = 1_048_576;

/** The forms that the server writes, by their extensions. */
const FILES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
  arrows: 'application/vnd.apache.arrow.stream',
} as const;
type FileForm = keyof typeof FILES;
type ExportForm = 'csv' | 'csv-bom' | FileForm;

const FORMS: readonly (readonly [ExportForm, () => string])[] = [
  ['csv', () => say('export.csv_plain')],
  ['csv-bom', () => say('export.csv_bom')],
  ['xlsx', () => say('export.xlsx')],
  ['parquet', () => say('export.parquet')],
  ['arrows', () => say('export.arrow')],
];

interface ExportMenuProps {
  readonly state: LensState;
  readonly model: ReportModel;
  readonly reports: LensReports;
}

/** Saves the whole result as a file. */
export function ExportMenu({ state, model, reports }: ExportMenuProps) {
  const scope = useScope();
  const controller = useRef<AbortController | null>(null);
  const [progress, setProgress] = useState('');
  const exporting = useMutation({
    mutationFn: async (form: ExportForm) => {
      const query = reports.queries?.rows;
      if (query === undefined) return;
      const { signal } = (controller.current = new AbortController());
      const [range] = query.timeDimensions;
      const name = `placard-${scope.networkId}-${range?.dateRange.join('-') ?? ''}`;
      if (form !== 'csv' && form !== 'csv-bom') {
        const { total: _total, ...plain } = query;
        const onProgress = (bytes: number) =>
          setProgress(say('export.cancel_bytes', { size: (bytes / MEGABYTE).toFixed(1) }));
        onProgress(0);
        const body = { query: plain };
        const file = await sendForFile(`${reportsPath(scope)}/load`, { body, accept: FILES[form], signal, onProgress });
        saveFile(`${name}.${form}`, [file], FILES[form]);
        return;
      }
      const onProgress = (rows: number) =>
        setProgress(say('export.cancel', { rows: rows.toLocaleString(currentLocale()) }));
      onProgress(0);
      const pieces = await exportCsv(scope, query, { columns: titledColumns(state, model), signal, onProgress });
      saveFile(`${name}.csv`, form === 'csv' ? pieces : [BYTE_ORDER_MARK, ...pieces], 'text/csv;charset=utf-8');
    },
    onError: (error) => {
      if (error instanceof DOMException && error.name === 'AbortError') return;
      notifications.show({ color: 'red', message: describeProblem(error) });
    },
    onSettled: () => setProgress(''),
  });
  if (exporting.isPending) {
    return (
      <Button variant="default" onClick={() => controller.current?.abort()}>
        {progress}
      </Button>
    );
  }
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" size={16} />} disabled={reports.queries === null}>
          {say('export.title')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMS.map(([form, title]) => (
          <Menu.Item key={form} onClick={() => exporting.mutate(form)}>
            {title()}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function titledColumns(state: LensState, model: ReportModel): { key: string; title: string }[] {
  const time = timeKeyOf(state);
  return [...groupKeysOf(state), ...state.measures].map((key) => ({
    key,
    title: key === time && state.granularity !== null ? say(`granularity.${state.granularity}`) : titleOf(model, key),
  }));
}
