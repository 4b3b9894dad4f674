import { NumberInput, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { BulkRow } from '../api/desk-list.ts';
import { copyLineItems } from '../api/line-item-copies.ts';
import { say } from '../messages/say.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { formatCount, formatFlight } from './desk-format.ts';
import { deskKey, useCellContext, useDeskScope } from './use-desk-list.ts';

const USUAL_DAYS = 30;
const DAY_MS = 86_400_000;
const SHOWN = 3;

/** Copies line items with their creatives, their flights moved by days. The copies are drafts. */
export function CopyDialog({
  rows,
  onDone,
  onClose,
}: {
  readonly rows: readonly Pick<BulkRow, 'id' | 'name' | 'startsAt' | 'endsAt'>[];
  onDone: () => void;
  onClose: () => void;
}) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { timezone, nowMs } = useCellContext();
  const [days, setDays] = useState(USUAL_DAYS);
  const copying = useMutation({
    mutationFn: () =>
      copyLineItems(
        scope,
        rows.map(({ id }) => id),
        { shiftDays: days },
      ),
    onSuccess: async (ids) => {
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      notifications.show({ message: say('copy.done', { count: formatCount(ids.length) }) });
      onDone();
      const [only] = ids;
      if (ids.length === 1 && only !== undefined)
        void navigate({ to: '/desk/line-items/$id', params: { id: only }, search: {} });
    },
  });
  const moved = (iso: string | null): string | null =>
    iso === null ? null : new Date(Date.parse(iso) + days * DAY_MS).toISOString();
  return (
    <FormDialog
      title={say('copy.title', { count: formatCount(rows.length) })}
      action={say('copy.action')}
      submission={copying}
      onClose={onClose}
    >
      <NumberInput
        label={say('copy.days')}
        description={say('copy.hint')}
        value={days}
        allowDecimal={false}
        min={-3_650}
        max={3_650}
        onChange={(value) => setDays(Number(value))}
        data-autofocus
      />
      {rows.slice(0, SHOWN).map(({ id, name, startsAt, endsAt }) => (
        <Text key={id} size="sm">
          <bdi>{name}</bdi>
          {`: ${formatFlight({ startsAt, endsAt }, timezone, nowMs)} → ${formatFlight({ startsAt: moved(startsAt), endsAt: moved(endsAt) }, timezone, nowMs)}`}
        </Text>
      ))}
      {rows.length > SHOWN ? (
        <Text size="sm" c="dimmed">
          {say('bulk.more', { count: formatCount(rows.length - SHOWN) })}
        </Text>
      ) : null}
    </FormDialog>
  );
}
