import { Button, SegmentedControl, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { formatCount } from '../format/desk-format.ts';
import { saveFile } from '../ui/save-file.ts';
import { say } from '../messages/say.ts';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import type { PlannedRow } from './csv-plan.ts';
import { countRows, type ReviewedRow, sayProblem, writeRefused } from './csv-review.ts';
import type { CsvTable } from './format/csv-text.ts';

const ROWS_SHOWN = 200;
const NARROW = '(max-width: 36em)';
const ORDER: readonly PlannedRow['action'][] = ['refused', 'make', 'change', 'same'];

/** Lines of a file: what each makes or changes, and why one is refused. */
function ImportTable({ rows }: { readonly rows: readonly ReviewedRow[] }) {
  const shown = ORDER.flatMap((action) => rows.filter((row) => row.action === action)).slice(0, ROWS_SHOWN);
  return (
    <>
      <ScrollRegion label={say('csv.rows')}>
        <Table verticalSpacing={6} stickyHeader style={{ overflowWrap: 'anywhere' }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col" style={{ whiteSpace: 'nowrap' }}>
                {say('csv.row')}
              </Table.Th>
              <Table.Th scope="col">{say('csv.name')}</Table.Th>
              <Table.Th scope="col">{say('csv.effect')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((row) => (
              <Table.Tr key={row.line}>
                <Table.Td>{row.line}</Table.Td>
                <Table.Td>
                  <bdi>{row.name}</bdi>
                </Table.Td>
                <Table.Td>
                  <Effect row={row} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
      {rows.length > shown.length ? (
        <Text size="sm" c="dimmed">
          {say('csv.more', { count: formatCount(rows.length - shown.length) })}
        </Text>
      ) : null}
    </>
  );
}

function Effect({ row: { action, cells, target, problems, warnings } }: { readonly row: ReviewedRow }) {
  return (
    <>
      <Text size="sm" fw={600}>
        {say(`csv.action_${action}`)}
      </Text>
      {[...problems, ...warnings].map((one) => (
        <Text key={sayProblem(one)} size="sm">
          ⚠ {sayProblem(one)}
        </Text>
      ))}
      {cells
        .filter(({ column }) => target !== null || column !== 'name')
        .map(({ column, before, after }) => (
          <Text key={column} size="sm">
            <bdi>{column}</bdi>:{' '}
            {target === null ? null : (
              <>
                <span className="diff-before">{before === '' ? say('value.none') : before}</span> →{' '}
              </>
            )}
            <span className="diff-after">{after === '' ? say('value.none') : after}</span>
          </Text>
        ))}
    </>
  );
}

const SHOWN = ['all', 'make', 'change', 'refused', 'same'] as const;
type Shown = (typeof SHOWN)[number];

/** The lines, by what they do: those that are refused first. */
export function RowList({ rows }: { readonly rows: readonly ReviewedRow[] }) {
  const [shown, setShown] = useState<Shown>('all');
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const counts = { all: rows.length, ...countRows(rows) };
  const wanted = shown === 'all' ? rows : rows.filter(({ action }) => action === shown);
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={say('csv.shown')}
        value={shown}
        onChange={(value) => setShown(SHOWN.find((one) => one === value) ?? 'all')}
        data={SHOWN.map((one) => ({ value: one, label: say(`csv.count_${one}`, { count: counts[one] }) }))}
        orientation={isNarrow ? 'vertical' : 'horizontal'}
      />
      <ImportTable rows={wanted} />
    </>
  );
}

/** Gives the refused lines to the person as a file, each with its reason. */
export function SaveRefused({ table, rows }: { readonly table: CsvTable; readonly rows: readonly ReviewedRow[] }) {
  return (
    <Button
      variant="subtle"
      onClick={() => saveFile('refused-rows.csv', writeRefused(table, rows), 'text/csv;charset=utf-8')}
    >
      {say('csv.save_refused')}
    </Button>
  );
}
