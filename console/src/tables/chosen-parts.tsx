import { Button, Text } from '@mantine/core';
import { say } from '../messages/say.ts';
import { ALL_MAX, type Chosen } from './chosen.ts';
import { formatCount } from '../format/desk-format.ts';

/** Chooses all that match, where some are chosen and there are more. */
export function SelectAll({
  chosen,
  total,
  onChoose,
}: {
  readonly chosen: Chosen;
  readonly total: number;
  onChoose: (chosen: Chosen) => void;
}) {
  if (chosen.isAll || total <= chosen.ids.size) return null;
  return (
    <Button size="xs" variant="subtle" onClick={() => onChoose({ ...chosen, isAll: true })}>
      {total > ALL_MAX
        ? say('bulk.first', { count: formatCount(ALL_MAX), total: formatCount(total) })
        : say('bulk.all', { total: formatCount(total) })}
    </Button>
  );
}

/** How many rows are read so far. */
export function Reading({ count }: { readonly count: number | null }) {
  if (count === null || count === 0) return null;
  return (
    <Text size="sm" c="dimmed" component="output">
      {say('csv.reading', { count: formatCount(count) })}
    </Text>
  );
}
