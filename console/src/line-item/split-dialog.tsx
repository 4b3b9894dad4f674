import { SegmentedControl, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { LineItemDetail } from '../api/bookings/desk-object.ts';
import { splitLineItem } from '../api/bookings/line-item-split.ts';
import { type TargetingRow, targetingOf } from '../targeting/targeting-rows.ts';
import { TargetingFields } from '../targeting/targeting-fields.tsx';
import { NumberValueField } from '../format/number-field.tsx';
import { say } from '../messages/say.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { formatCount } from '../format/desk-format.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';

const HALF = 50;

/** Makes two line items of one: by a share of its goal, or by a part of its targeting, which the new one gets. */
export function SplitDialog({ item, onClose }: { readonly item: LineItemDetail; onClose: () => void }) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { goal } = item;
  const [by, setBy] = useState<'goal' | 'targeting'>(goal === null ? 'targeting' : 'goal');
  const [name, setName] = useState(say('split.name_of', { name: item.name.slice(0, 180) }));
  const [percent, setPercent] = useState<number | null>(HALF);
  const [rows, setRows] = useState<readonly TargetingRow[]>([]);
  const shares =
    goal === null || percent === null ? null : shareOf(goal.amount, item.delivery?.progress?.delivered ?? 0, percent);
  const where = targetingOf(rows);
  const splitting = useMutation({
    mutationFn: () => splitLineItem(scope, item, sidesOf(item, { by, name, shares, where })),
    onSuccess: async (id) => {
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      notifications.show({ message: say('split.done') });
      onClose();
      void navigate({ to: '/desk/line-items/$id', params: { id }, search: {} });
    },
  });
  const isReady =
    name.trim() !== '' && (by === 'goal' ? shares !== null && shares.part > 0 && shares.kept > 0 : where !== null);
  return (
    <FormDialog
      title={say('split.title', { name: item.name })}
      action={say('split.action')}
      submission={splitting}
      size="lg"
      isReady={isReady}
      onClose={onClose}
    >
      {goal === null ? null : (
        <SegmentedControl
          aria-label={say('split.by')}
          value={by}
          onChange={(value) => setBy(value as typeof by)}
          data={(['goal', 'targeting'] as const).map((value) => ({ value, label: say(`split.by_${value}`) }))}
        />
      )}
      <TextInput
        label={say('split.name')}
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {by === 'goal' ? (
        <NumberValueField label={say('split.percent')} value={percent} isWhole min={1} max={99} onChange={setPercent} />
      ) : (
        <>
          <Text size="sm">{say('split.where')}</Text>
          <TargetingFields rows={rows} change={setRows} />
        </>
      )}
      {by === 'goal' && shares !== null ? <SharesText shares={shares} /> : null}
      <Text size="sm" c="dimmed">
        {say('split.hint')}
      </Text>
    </FormDialog>
  );
}

function SharesText({ shares: { kept, part, delivered } }: { readonly shares: Shares }) {
  return (
    <Text size="sm" component="output">
      {say('split.shares', {
        kept: formatCount(kept),
        part: formatCount(part),
        delivered: formatCount(delivered),
      })}
    </Text>
  );
}

interface Shares {
  readonly kept: number;
  readonly part: number;
  readonly delivered: number;
}

/** What is not delivered yet is shared; what is, stays with the old line item. */
export function shareOf(amount: number, delivered: number, percent: number): Shares {
  const left = Math.max(0, amount - delivered);
  const part = Math.round((left * percent) / 100);
  return { kept: amount - part, part, delivered: Math.min(delivered, amount) };
}

/** What changes of the old line item, and what is other in the new one. */
export function sidesOf(
  { goal, targeting }: Pick<LineItemDetail, 'goal' | 'targeting'>,
  chosen: {
    readonly by: 'goal' | 'targeting';
    readonly name: string;
    readonly shares: Shares | null;
    readonly where: object | null;
  },
): { readonly change: Readonly<Record<string, unknown>>; readonly part: Readonly<Record<string, unknown>> } {
  const { by, shares, where } = chosen;
  const name = chosen.name.trim();
  if (by === 'goal' && goal !== null && shares !== null)
    return {
      change: { goal: { ...goal, amount: shares.kept } },
      part: { name, goal: { ...goal, amount: shares.part } },
    };
  const both = (own: object): object => ({ all: targeting === null ? [own] : [targeting, own] });
  return {
    change: { targeting: both({ not: where }) },
    part: { name, targeting: both(where ?? {}) },
  };
}
