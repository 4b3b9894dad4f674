import { Button } from '@mantine/core';
import { Icon } from '../ui/icons.tsx';
import {
  type BulkPlan,
  canAct,
  planStatus,
  STATUS_ACTIONS,
  type StatusAction,
  type StatusTarget,
  verbOf,
} from './bulk-plan.ts';

const ICONS = { activate: 'check', reserve: 'save', pause: 'pause', resume: 'play', archive: 'floor' } as const;

export function ActionButton({
  action,
  isBusy,
  onClick,
}: {
  readonly action: StatusAction;
  readonly isBusy: boolean;
  onClick: () => void;
}) {
  return (
    <Button
      size="xs"
      variant="default"
      disabled={isBusy}
      leftSection={<Icon name={ICONS[action]} size={14} />}
      onClick={onClick}
    >
      {verbOf(action)}
    </Button>
  );
}

/** The changes of status that do something to the objects. */
export function StatusButtons({
  targets,
  onPlan,
}: {
  readonly targets: readonly StatusTarget[];
  onPlan: (plan: BulkPlan) => void;
}) {
  return STATUS_ACTIONS.filter((action) => canAct(action, targets)).map((action) => (
    <ActionButton key={action} action={action} isBusy={false} onClick={() => onPlan(planStatus(action, targets))} />
  ));
}
