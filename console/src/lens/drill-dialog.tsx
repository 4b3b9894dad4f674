import { Button, Select, Stack } from '@mantine/core';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { drillInto, filterByValue, nextDimension } from '../reports/drill.ts';
import { formatDimension } from '../format/format-value.ts';
import type { LensState } from '../reports/lens-state.ts';
import { titleOf } from '../charts/member-titles.ts';
import type { ReportModel } from '../reports/report-model.ts';
import type { CellValue } from '../reports/report-rows.ts';

/** A value that was clicked, in the table or in the chart. */
export interface DrillPick {
  readonly member: string;
  readonly value: CellValue;
}

interface DrillDialogProps {
  readonly state: LensState;
  readonly model: ReportModel;
  readonly picked: DrillPick | null;
  onClose: () => void;
  onChange: (next: LensState) => void;
}

/** The actions on a value: split it by another dimension, filter by it, exclude it. */
export function DrillDialog({ state, model, picked, onClose, onChange }: DrillDialogProps) {
  const go = (next: LensState): void => {
    onClose();
    onChange(next);
  };
  if (picked === null) return null;
  const member = model.dimensions.get(picked.member) ?? { type: 'string' as const };
  const value = formatDimension(member, picked.value);
  const next = nextDimension(picked.member, new Set(model.dimensions.keys()));
  const others = [...model.dimensions.values()].filter((one) => one.name !== picked.member);
  return (
    <Dialog opened onClose={onClose} title={say('drill.title', { name: titleOf(model, picked.member), value })}>
      <Stack>
        {next === null ? null : (
          <Button
            data-autofocus
            leftSection={<Icon name="down" size={16} />}
            onClick={() => go(drillInto(state, picked, next))}
          >
            {say('drill.into', { name: titleOf(model, next) })}
          </Button>
        )}
        <Select
          label={say('drill.by')}
          searchable
          data={others.map((one) => ({ value: one.name, label: one.shortTitle }))}
          value={null}
          comboboxProps={{ withinPortal: true }}
          onChange={(chosen) => (chosen === null ? undefined : go(drillInto(state, picked, chosen)))}
        />
        <Button variant="default" onClick={() => go(filterByValue(state, picked.member, picked.value, true))}>
          {say('drill.keep')}
        </Button>
        <Button variant="default" onClick={() => go(filterByValue(state, picked.member, picked.value, false))}>
          {say('drill.exclude')}
        </Button>
      </Stack>
    </Dialog>
  );
}
