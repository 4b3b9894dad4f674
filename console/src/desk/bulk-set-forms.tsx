import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { findLibraryCreatives, type LibraryChoice, loadLibraryUses } from '../api/bookings/creatives/library-uses.ts';
import { loadTargetings } from '../api/bookings/line-item-settings.ts';
import type { TargetingTree } from '../api/bookings/targeting.ts';
import type { BulkPlan, EditedRow } from '../changes/bulk-plan.ts';
import { Working } from '../changes/changes-dialog.tsx';
import { PlanForm } from '../changes/bulk-inputs.tsx';
import { say } from '../messages/say.ts';
import { useNames } from '../pickers/use-names.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { TARGETING_WAYS, type TargetingWay } from '../targeting/change-rows.ts';
import { TargetingFields } from '../targeting/targeting-fields.tsx';
import { NEW_ROW, type TargetingRow, targetingOf } from '../targeting/targeting-rows.ts';
import { idsIn } from '../targeting/targeting-words.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { CREATIVE_WAYS, type CreativeWay, planCreatives } from '../line-item/creative-plan.ts';
import { planTargeting } from './bulk-targeting.ts';

interface SetFormProps {
  readonly rows: readonly EditedRow[];
  onPlan: (plan: BulkPlan) => void;
  onClose: () => void;
}

const TYPING_MS = 250;
const NO_TREES: ReadonlyMap<string, TargetingTree | null> = new Map();

/** Conditions that line items get, lose, or have instead; their targetings are read first. */
export function TargetingForm({ rows, onPlan, onClose }: SetFormProps) {
  const [way, setWay] = useState<TargetingWay>('add');
  const [conditions, setConditions] = useState<readonly TargetingRow[]>([NEW_ROW]);
  const { trees, done, error } = useTrees(rows.map(({ id }) => id));
  const nameOf = useNames(
    idsIn({ all: [...(trees ?? NO_TREES).values(), targetingOf(conditions)].filter((one) => one !== null) }),
  );
  const isReady = trees !== undefined && (way !== 'add' || targetingOf(conditions) !== null);
  const plan = isReady ? planTargeting({ way, rows: conditions }, rows, { trees, nameOf }) : null;
  return (
    <PlanForm plan={plan} onPlan={onPlan} onClose={onClose}>
      <Select
        label={say('bulk.targeting_way')}
        description={say(`bulk.targeting_hint_${way}`)}
        data={TARGETING_WAYS.map((value) => ({ value, label: say(`bulk.targeting_${value}`) }))}
        value={way}
        allowDeselect={false}
        onChange={(next) => setWay(next as TargetingWay)}
      />
      <TargetingFields rows={conditions} change={setConditions} />
      <ProblemAlert error={error} />
      {trees === undefined && error === null ? <Working done={done} total={rows.length} /> : null}
    </PlanForm>
  );
}

/** The targetings of line items; undefined while they are read. */
function useTrees(ids: readonly string[]) {
  const scope = useDeskScope();
  const [done, setDone] = useState(0);
  const read = useQuery({
    queryKey: [...deskKey(scope), 'bulk-targetings', ids],
    queryFn: ({ signal }) => loadTargetings(scope, ids, signal, setDone),
    // A change begins from the targetings as they were when the dialog opened.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return { trees: read.data, done, error: read.error };
}

/** A creative of the library that comes into line items, or goes from them. */
export function CreativesForm({ rows, onPlan, onClose }: SetFormProps) {
  const scope = useDeskScope();
  const [way, setWay] = useState<CreativeWay>('assign');
  const [creative, setCreative] = useState<LibraryChoice | null>(null);
  const uses = useQuery({
    queryKey: [...deskKey(scope), 'library-uses', creative?.id],
    queryFn: ({ signal }) => loadLibraryUses(scope, creative?.id ?? '', signal),
    enabled: creative !== null,
    staleTime: 0,
  });
  const plan = creative === null || uses.data === undefined ? null : planCreatives({ way, creative }, rows, uses.data);
  return (
    <PlanForm plan={plan} onPlan={onPlan} onClose={onClose}>
      <Select
        label={say('bulk.creatives_way')}
        data={CREATIVE_WAYS.map((value) => ({ value, label: say(`bulk.creatives_${value}`) }))}
        value={way}
        allowDeselect={false}
        onChange={(next) => setWay(next as CreativeWay)}
      />
      <LibraryPicker chosen={creative} onChoose={setCreative} />
      <ProblemAlert error={uses.error} />
      {creative !== null && uses.isPending ? <Text size="sm">{say('bulk.reading')}</Text> : null}
    </PlanForm>
  );
}

/** A creative of the library, found by its name, told with its size and advertiser. */
function LibraryPicker({
  chosen,
  onChoose,
}: {
  readonly chosen: LibraryChoice | null;
  onChoose: (creative: LibraryChoice | null) => void;
}) {
  const scope = useDeskScope();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const found = useQuery({
    queryKey: [...deskKey(scope), 'library-choices', search],
    queryFn: ({ signal }) => findLibraryCreatives(scope, search, signal),
    placeholderData: keepPreviousData,
    enabled: scope.networkId !== '',
  });
  const choices = found.data ?? [];
  const all = chosen === null || choices.some(({ id }) => id === chosen.id) ? choices : [chosen, ...choices];
  return (
    <Select
      label={say('bulk.creative')}
      data={all.map((one) => ({ value: one.id, label: libraryLabel(one) }))}
      value={chosen?.id ?? null}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': say('action.clear') }}
      nothingFoundMessage={say('palette.nothing')}
      // The server has searched.
      filter={({ options }) => options}
      onSearchChange={(text) => setTyped(chosen !== null && text === libraryLabel(chosen) ? '' : text)}
      onChange={(id) => onChoose(all.find((one) => one.id === id) ?? null)}
    />
  );
}

function libraryLabel({ name, width, height, advertiser }: LibraryChoice): string {
  const size = width === null || height === null ? [] : [`${width}×${height}`];
  const owner = advertiser === null ? [] : [advertiser.name];
  return [name, ...size, ...owner].join(' · ');
}
