import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CatalogRows, saveCatalogObject } from '../api/bookings/catalog.ts';
import { describeProblem } from '../api/transport/problem.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { ambiguityOf, decimalOf, showNumber, typedText } from '../format/typed-numbers.ts';
import { say } from '../messages/say.ts';

/** The floor of an ad unit, saved when the field is left or Enter is pressed; Escape takes the change back. */
export function FloorField({ adUnit }: { readonly adUnit: CatalogRows['adUnits'] }) {
  const { id, name, version, floor } = adUnit;
  const scope = useDeskScope();
  const client = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const saving = useMutation({
    mutationFn: (next: string) => saveCatalogObject(scope, 'adUnits', { floor: next }, { id, version }),
    onSuccess: (_id, next) =>
      notifications.show({ message: say('inventory.floor_saved', { name, floor: showNumber(next) }) }),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      setTyped(null);
    },
  });
  const problem = saving.error === null ? undefined : describeProblem(saving.error);
  const save = (): void => {
    if (typed === null || typed.trim() === '' || typed === typedText(floor)) return setTyped(null);
    const next = decimalOf(typed);
    if (next !== null) saving.mutate(next);
  };
  return (
    <TextInput
      size="xs"
      w={90}
      ml="auto"
      aria-label={say('inventory.floor_of', { name })}
      inputMode="decimal"
      tabIndex={-1}
      value={typed ?? typedText(floor)}
      disabled={saving.isPending}
      error={typed === null ? undefined : (faultOf(typed) ?? problem)}
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

/** What is wrong with a typed floor; null: it can be read, or is being typed. */
function faultOf(typed: string): string | null {
  if (typed.trim() === '' || decimalOf(typed) !== null) return null;
  return ambiguityOf(typed, false) ?? say('catalog_field.decimal');
}
