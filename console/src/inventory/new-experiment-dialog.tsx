import { Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  createExperiment,
  EXPERIMENT_RULES,
  type ExperimentRule,
  type NewExperiment,
} from '../api/inventory/experiments.ts';
import { fieldMessage } from '../api/transport/problem.ts';
import { NumberValueField } from '../format/number-field.tsx';
import { instantOf, midnightAfter, wallTimeOf } from '../format/wall-time.ts';
import { say } from '../messages/say.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { FormDialog, NameField } from '../ui/form-dialog.tsx';
import { useNow } from '../ui/use-now.ts';

/** Four weeks show weekdays four times each. */
const DAYS = 28;
const SHARE = { initial: 10, min: 1, max: 50 };

interface Draft {
  readonly name: string;
  readonly rule: ExperimentRule;
  readonly sharePercent: number | null;
  /** Clock times of the network. */
  readonly startsAt: string;
  readonly endsAt: string;
}

/** The draft of a form, what it means, and what makes it. */
function useDraft(timezone: string, onMade: () => void) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const nowMs = useNow();
  const [draft, setDraft] = useState<Draft>({
    name: '',
    rule: 'NO_PRICES',
    sharePercent: SHARE.initial,
    startsAt: wallTimeOf(nowMs, timezone),
    endsAt: midnightAfter(nowMs, DAYS, timezone),
  });
  const { name, rule, sharePercent } = draft;
  const starts = instantOf(draft.startsAt, timezone);
  const ends = instantOf(draft.endsAt, timezone);
  const making = useMutation({
    mutationFn: (input: NewExperiment) => createExperiment(scope, input),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      onMade();
    },
  });
  const input: NewExperiment | null =
    name.trim() === '' || sharePercent === null || starts === null || ends === null
      ? null
      : { name, rule, sharePercent, startsAt: new Date(starts).toISOString(), endsAt: new Date(ends).toISOString() };
  const change = (next: Partial<Draft>): void => setDraft((before) => ({ ...before, ...next }));
  return { draft, change, input, making };
}

/** Makes an experiment that begins now, unless another time is given. @param timezone the network's */
export function NewExperimentDialog({
  timezone,
  onClose,
}: {
  readonly timezone: string;
  readonly onClose: () => void;
}) {
  const { draft, change, input, making } = useDraft(timezone, onClose);
  const mutate = (): void => {
    if (input !== null) making.mutate(input);
  };
  return (
    <FormDialog
      title={say('experiments.new')}
      action={say('experiments.begin')}
      submission={{ error: making.error, isPending: making.isPending, mutate }}
      isReady={input !== null}
      onClose={onClose}
    >
      <NameField value={draft.name} error={making.error} onChange={(name) => change({ name })} />
      <RuleField rule={draft.rule} onChange={(rule) => change({ rule })} />
      <NumberValueField
        label={say('experiments.share')}
        description={say('experiments.share_hint')}
        isWhole
        min={SHARE.min}
        max={SHARE.max}
        value={draft.sharePercent}
        error={fieldMessage(making.error, 'sharePercent')}
        onChange={(sharePercent) => change({ sharePercent })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {(['startsAt', 'endsAt'] as const).map((field) => (
          <TextInput
            key={field}
            type="datetime-local"
            label={say(`experiments.${field}`)}
            value={draft[field]}
            error={fieldMessage(making.error, field)}
            onChange={(event) => change({ [field]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {say('experiments.zone', { timezone })}
      </Text>
    </FormDialog>
  );
}

function RuleField({
  rule,
  onChange,
}: {
  readonly rule: ExperimentRule;
  readonly onChange: (rule: ExperimentRule) => void;
}) {
  return (
    <Radio.Group label={say('experiments.rule')} value={rule} onChange={(next) => onChange(next as ExperimentRule)}>
      <Stack gap="xs" mt="xs">
        {EXPERIMENT_RULES.map((one) => (
          <Radio
            key={one}
            value={one}
            label={say(`experiments.rule_${one}`)}
            description={say(`experiments.about_${one}`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
