import { Button, Popover, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { loadCatalogObject } from '../api/bookings/catalog.ts';
import { loadTargetings } from '../api/bookings/line-item-settings.ts';
import { isWhole, type TargetingTree } from '../api/bookings/targeting.ts';
import { say } from '../messages/say.ts';
import { ObjectFilter } from '../pickers/object-filter.tsx';
import { ObjectPicker } from '../pickers/object-picker.tsx';
import { useDeskScope } from '../session/desk-scope.ts';
import { Icon } from '../ui/icons.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { rowsOf, type TargetingRow } from './targeting-rows.ts';

type Source = { readonly kind: 'preset' | 'lineItem'; readonly id: string };

/** Copies the conditions of a preset, or of another line item. */
export function CopyTargeting({ onCopy }: { onCopy: (rows: readonly TargetingRow[]) => void }) {
  const scope = useDeskScope();
  const [opened, setOpened] = useState(false);
  const copying = useMutation({
    mutationFn: async ({ kind, id }: Source): Promise<readonly TargetingRow[] | null> => {
      const { signal } = new AbortController();
      const tree: TargetingTree | null =
        kind === 'preset'
          ? ((await loadCatalogObject(scope, 'targetingPresets', id, signal))?.targeting ?? null)
          : ((await loadTargetings(scope, [id], signal)).get(id) ?? null);
      return tree === null || isWhole(tree) ? rowsOf(tree) : null;
    },
    onSuccess: (rows) => {
      if (rows === null || rows.length === 0) return;
      onCopy(rows);
      setOpened(false);
    },
  });
  const from = (source: Source): void => copying.mutate(source);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={300} withArrow trapFocus>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="copy" size={14} />}
          onClick={() => setOpened((known) => !known)}
        >
          {say('targeting.copy')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <ObjectPicker
            kind="targetingPresets"
            label={say('targeting.copy_preset')}
            placeholder=""
            value=""
            onChange={(id) => (id === '' ? undefined : from({ kind: 'preset', id }))}
          />
          <ObjectFilter
            kind="lineItems"
            label={say('targeting.copy_item')}
            placeholder=""
            size="sm"
            value={null}
            onChange={(id) => (id === null ? undefined : from({ kind: 'lineItem', id }))}
          />
          <ProblemAlert error={copying.error} />
          {copying.data === undefined ? null : copying.data === null ? (
            <Text size="sm">{say('targeting.copy_nested')}</Text>
          ) : copying.data.length === 0 ? (
            <Text size="sm">{say('targeting.copy_none')}</Text>
          ) : null}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
