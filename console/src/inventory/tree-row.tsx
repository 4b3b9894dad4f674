import { ActionIcon, Anchor, Group, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useCanEdit } from '../session/session.ts';
import { formatCount, formatMoney, formatPercent } from '../format/desk-format.ts';
import { useCellContext } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { FloorField } from './floor-field.tsx';
import { ratesOf, type TreeRow } from './inventory-tree.ts';

const INDENT_REM = 1.25;

/** The cells of a row of the tree. */
export function TreeRowCells({ row, toggle }: { readonly row: TreeRow; toggle: () => void }) {
  const { currency } = useCellContext();
  const canEdit = useCanEdit();
  const { fillPercent, price, ecpm } = ratesOf(row.figures);
  const none = say('value.none_measure');
  const money = (amount: number | null): string => (amount === null ? none : formatMoney(amount.toFixed(2), currency));
  return (
    <>
      <Table.Th scope="row" fw={row.level === 1 ? 600 : 400}>
        <Group gap={4} wrap="nowrap" pl={`${(row.level - 1) * INDENT_REM}rem`}>
          {row.isOpen === null ? (
            <span style={{ width: '1.75rem' }} />
          ) : (
            <ActionIcon
              size="sm"
              tabIndex={-1}
              aria-label={say(row.isOpen ? 'inventory.close' : 'inventory.open', { name: row.name })}
              onClick={toggle}
            >
              <Icon name={row.isOpen ? 'down' : 'right'} size={14} />
            </ActionIcon>
          )}
          <bdi style={{ minWidth: '8rem', overflowWrap: 'anywhere' }}>{row.name}</bdi>
        </Group>
      </Table.Th>
      <Table.Td ta="right">{formatCount(row.figures.requests)}</Table.Td>
      <Table.Td ta="right">{fillPercent === null ? none : formatPercent(fillPercent)}</Table.Td>
      <Table.Td ta="right">{money(price)}</Table.Td>
      <Table.Td ta="right">{money(ecpm)}</Table.Td>
      <Table.Td ta="right">
        {row.adUnit === null ? null : canEdit ? (
          <FloorField adUnit={row.adUnit} />
        ) : (
          formatMoney(row.adUnit.floor, currency)
        )}
      </Table.Td>
      <Table.Td>
        <RowLinks row={row} />
      </Table.Td>
    </>
  );
}

/** Where the row leads to. */
function RowLinks({ row: { kind, id, name } }: { readonly row: TreeRow }) {
  if (kind === 'area') return null;
  const search = kind === 'site' ? { site: id } : { unit: id };
  return (
    <Group gap="xs" wrap="nowrap">
      <Anchor
        size="sm"
        aria-label={`${say('inventory.inspect')}: ${name}`}
        renderRoot={(props) => <Link to="/desk/inspector" search={search} tabIndex={-1} {...props} />}
      >
        {say('inventory.inspect')}
      </Anchor>
      <Anchor
        size="sm"
        aria-label={`${say('inventory.availability')}: ${name}`}
        renderRoot={(props) => <Link to="/desk/availability" search={search} tabIndex={-1} {...props} />}
      >
        {say('inventory.availability')}
      </Anchor>
    </Group>
  );
}
