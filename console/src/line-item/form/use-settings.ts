import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { LineItemDetail } from '../../api/bookings/desk-object.ts';
import type { SettingName } from '../../api/bookings/line-item-settings.ts';
import { NAMED_KINDS, type NamedIds } from '../../api/bookings/names.ts';
import { type ObjectResult, updateObjects } from '../../api/bookings/object-updates.ts';
import type { FormPart } from '../../booking/form-part.ts';
import type { BothSides } from '../../changes/compare-sides.ts';
import { offerUndo } from '../../changes/undo.tsx';
import { say } from '../../messages/say.ts';
import { useNames } from '../../pickers/use-names.ts';
import { useSettingChoices } from '../../pickers/use-setting-choices.ts';
import { deskKey, useCellContext, useDeskScope } from '../../session/desk-scope.ts';
import { idsIn } from '../../targeting/targeting-words.ts';
import { draftOf, type ItemDraft } from './item-draft.ts';
import {
  changesOf,
  describeSetting,
  type DraftChanges,
  inputOf,
  SETTINGS,
  settingsAfter,
  zoneOf,
} from './item-settings.ts';
import type { WordContext } from './setting-words.ts';

const TYPING_MS = 400;

/** A section of the form of a line item. */
export type ItemPart = FormPart<ItemDraft>;

/** A line item that is being changed: what the form began with, and what is typed. */
export function useItemDraft(item: LineItemDetail, timezone: string) {
  // The page behind the form goes on reading: what somebody else saves reaches a form that nobody has touched.
  const [base, setBase] = useState(item);
  const before = useMemo(() => draftOf(base, timezone), [base, timezone]);
  const [draft, setDraft] = useState(before);
  const changes = useMemo(() => changesOf(base, { before, draft, zone: timezone }), [base, before, draft, timezone]);
  const isDirty = changes.changes.length + changes.unreadable.length > 0;
  const begin = (next: LineItemDetail): void => {
    setBase(next);
    setDraft(draftOf(next, timezone));
  };
  if (!isDirty && item.version !== base.version) begin(item);
  const change = useCallback((next: Partial<ItemDraft>): void => setDraft((known) => ({ ...known, ...next })), []);
  return {
    base,
    before,
    draft,
    change,
    changes,
    isDirty,
    /** Whether somebody has saved another version since the form began. */
    isOutdated: item.version > base.version,
    begin,
    zone: zoneOf(draft, timezone),
  };
}

/** What the server says of the changes, as a person types; undefined: nothing yet, or there are none. */
export function useItemValidation(base: LineItemDetail, { changes }: DraftChanges): ObjectResult | undefined {
  const scope = useDeskScope();
  const present = useMemo(() => inputOf(changes, 'after'), [changes]);
  const [input] = useDebouncedValue(present, TYPING_MS);
  const update = { id: base.id, version: base.version, input };
  const isAsked = Object.keys(input).length > 0;
  const validation = useQuery({
    queryKey: ['line-item-validation', scope.environment, scope.networkId, update],
    queryFn: async ({ signal }) =>
      (await updateObjects(scope, 'lineItem', [update], { validateOnly: true, signal }))[0] ?? null,
    placeholderData: keepPreviousData,
    gcTime: 0,
    enabled: isAsked && scope.networkId !== '',
  });
  return isAsked ? (validation.data ?? undefined) : undefined;
}

/** The fault of a field of the form: a text that cannot be read, or what the server says of it. */
export function faultIn(
  name: string,
  { unreadable }: Pick<DraftChanges, 'unreadable'>,
  result: ObjectResult | undefined,
): string | null {
  const settings = Object.entries(SETTINGS)
    .filter(([setting, { from }]) => setting === name || (from as readonly string[]).includes(name))
    .map(([setting]) => setting);
  if (settings.some((setting) => unreadable.some((one) => one === setting))) return say('edit.unreadable');
  const found = (result?.problems ?? []).find(({ path }) => {
    const parts = path.split(/[.[\]]/);
    return parts.includes(name) || settings.some((setting) => parts.includes(setting));
  });
  return found?.message ?? null;
}

/** Saves changes at the version that the form began with. */
export function useItemSaving(
  base: LineItemDetail,
  { changes, words }: { readonly changes: DraftChanges['changes']; readonly words: WordContext },
  on: { saved: () => void; conflict: (sides: BothSides) => void },
) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const [result, setResult] = useState<ObjectResult | null>(null);
  const saving = useMutation({
    mutationFn: async () => {
      const update = { id: base.id, version: base.version, input: inputOf(changes, 'after') };
      return (await updateObjects(scope, 'lineItem', [update], { validateOnly: false }))[0];
    },
    onSuccess: async (outcome) => {
      const [undo, mine] = [inputOf(changes, 'before'), inputOf(changes, 'after')];
      if (outcome?.code === 'conflict')
        return on.conflict({
          kind: 'lineItem',
          id: base.id,
          name: base.name,
          base: undo,
          mine,
          describe: (name, value) => describeSetting(name as SettingName, value, words),
        });
      if (outcome === undefined || outcome.code !== null) return setResult(outcome ?? null);
      if (outcome.version !== null) {
        const text = say('edit.saved', { name: base.name });
        const updates = [{ id: base.id, version: outcome.version, input: undo }];
        offerUndo(client, { scope, kind: 'lineItem', text, updates });
      }
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      return on.saved();
    },
  });
  return { saving, refused: result };
}

/** What the values of settings are told with, before and after the changes. */
export function useWordContext(base: LineItemDetail, changes: DraftChanges, zone: string): WordContext {
  const { currency } = useCellContext();
  const after = settingsAfter(base, changes.changes);
  const nameOf = useNames(idsOf([base, after]));
  const choices = useSettingChoices('lineItem');
  return useMemo(
    () => ({
      currency,
      zone,
      nameOf,
      teams: new Map((choices?.teams ?? []).map(({ id, name }) => [id, name])),
      customFields: new Map((choices?.customFields ?? []).map(({ key, name }) => [key, name])),
    }),
    [currency, zone, nameOf, choices],
  );
}

function idsOf(
  sides: readonly Pick<LineItemDetail, 'targeting' | 'dealId' | 'advertisingProductId' | 'countedActivities'>[],
): NamedIds {
  const all = sides.map(
    ({ targeting, dealId, advertisingProductId, countedActivities }): NamedIds => ({
      ...idsIn(targeting),
      deals: dealId === null ? [] : [dealId],
      advertisingProducts: advertisingProductId === null ? [] : [advertisingProductId],
      activities: countedActivities.map(({ activityId }) => activityId),
    }),
  );
  return Object.fromEntries(
    NAMED_KINDS.map((kind) => [kind, [...new Set(all.flatMap((ids) => ids[kind] ?? []))].sort()] as const),
  );
}
