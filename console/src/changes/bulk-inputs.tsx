import { Button, Group, Select, Stack, TagsInput, Text } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { say } from '../messages/say.ts';
import type { BulkPlan, LabelChange } from './bulk-plan.ts';

/** Labels as a person types them: some more and some less, or all others. */
export interface LabelTexts {
  readonly way: 'change' | 'replace';
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly all: readonly string[];
}

export const NO_LABELS: LabelTexts = { way: 'change', add: [], remove: [], all: [] };

/** The change that typed labels mean. */
export function labelChangeOf({ way, add, remove, all }: LabelTexts): LabelChange {
  return way === 'replace' ? { all } : { add, remove };
}

/** Asks for labels: to add and to remove, or those that replace all. */
export function LabelInputs({
  texts,
  rows,
  onChange,
}: {
  readonly texts: LabelTexts;
  /** Their labels are proposed. */
  readonly rows: readonly { readonly labels: readonly string[] }[];
  onChange: (next: Partial<LabelTexts>) => void;
}) {
  const known = [...new Set(rows.flatMap(({ labels }) => labels))].toSorted();
  const fields = texts.way === 'replace' ? (['all'] as const) : (['add', 'remove'] as const);
  return (
    <>
      <Select
        label={say('bulk.labels_way')}
        data={(['change', 'replace'] as const).map((value) => ({ value, label: say(`bulk.labels_${value}`) }))}
        value={texts.way}
        allowDeselect={false}
        onChange={(way) => onChange({ way: way as LabelTexts['way'] })}
      />
      {fields.map((field) => (
        <TagsInput
          key={field}
          label={say(`bulk.labels_${field}`)}
          value={[...texts[field]]}
          data={known}
          onChange={(labels) => onChange({ [field]: labels })}
        />
      ))}
    </>
  );
}

/** A form whose fields make a plan; the preview comes next. */
export function PlanForm({
  plan,
  onPlan,
  onClose,
  children,
}: {
  /** Null: what is typed cannot be read. */
  readonly plan: BulkPlan | null;
  readonly children: ReactNode;
  onPlan: (plan: BulkPlan) => void;
  onClose: () => void;
}) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (plan !== null && plan.changes.length > 0) onPlan(plan);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <PreviewButtons plan={plan} onClose={onClose} />
      </Stack>
    </form>
  );
}

/** How many objects change, and the way to the preview. */
export function PreviewButtons({
  plan,
  onClose,
}: {
  /** Null: what is typed cannot be read. */
  readonly plan: BulkPlan | null;
  onClose: () => void;
}) {
  const count = plan?.changes.length ?? 0;
  return (
    <>
      {plan === null ? null : (
        <Text size="sm" component="output">
          {say('bulk.would', { count, staying: plan.staying.length })}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {say('action.cancel')}
        </Button>
        <Button type="submit" disabled={count === 0}>
          {say('bulk.preview')}
        </Button>
      </Group>
    </>
  );
}
