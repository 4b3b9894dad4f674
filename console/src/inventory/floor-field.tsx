import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CatalogRows, saveCatalogObject } from '../api/bookings/catalog.ts';
import { describeProblem } from '../api/transport/problem.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';

/** The floor of an ad unit, saved when the field is left or Enter is pressed; Escape takes the change back. */
export function FloorField({ adUnit }: { readonly adUnit: CatalogRows['adUnits'] }) {
  const { id, name, version, floor } = adUnit;
  const scope = useDeskScope();
  const client = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const saving = useMutation({
    mutationFn: (next: string) => saveCatalogObject(scope, 'adUnits', { floor: next }, { id, version }),
    onSuccess: (_id, next) => notifications.show({ message: say('inventory.floor_saved', { name, floor: next }) }),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      setTyped(null);
    },
  });
  const save = (): void => {
    const next = (typed ?? floor).trim().replace(',', '.');
    if (next === floor || next === '') setTyped(null);
    else saving.mutate(next);
  };
  return (
    <TextInput
      size="xs"
      w={90}
      ml="auto"
      aria-label={say('inventory.floor_of', { name })}
      inputMode="decimal"
      tabIndex={-1}
      value={typed ?? floor}
      disabled={saving.isPending}
      error={saving.error === null ? undefined : describeProblem(saving.error)}
      styles={{ input: { textAlign: 'right' } }}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key !== 'Escape') return;
        setTyped(null);
        event.currentTarget.closest('tr')?.focus();
      }}
    />
  );
}
