/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyState } from './state-pages.tsx';

/** One column of a listing. */
export interface SettingsColumn<Row> {
  readonly title: string;
  readonly isAction?: boolean;
  render: (row: Row) => ReactNode;
}

/** A listing of some dozens of things, with a word for when there are none. */
export function SettingsTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  empty,
  next,
}: {
  readonly label: string;
  readonly columns: readonly SettingsColumn<Row>[];
  readonly rows: readonly Row[];
  rowKey: (row: Row) => string;
  readonly empty: string;
  /** The button or link of the one next step, where there is nothing. */
  readonly next?: ReactNode;
}) {
  if (rows.length === 0) return <EmptyState text={empty}>{next}</EmptyState>;
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label={label}>
      <Table verticalSpacing="xs" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.title} scope="col" style={{ whiteSpace: 'nowrap' }}>
                {column.isAction === true ? <span className="visually-hidden">{column.title}</span> : column.title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map((column) => (
                <Table.Td key={column.title}>{column.render(row)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
