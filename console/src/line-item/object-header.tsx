import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { BookedKind, BookedObject } from '../api/bookings/desk-list.ts';
import { useCanEdit } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { StatusButtons } from '../changes/status-buttons.tsx';
import type { BulkPlan } from '../changes/bulk-plan.ts';
import { ChangesDialog } from '../changes/later-changes.ts';
import type { Living } from '../delivery/life.ts';
import { LifeWord } from '../delivery/state-words.tsx';
import { useNow } from '../ui/use-now.ts';

/** Pause and resume of one object; nothing for those who may not. */
export function StatusActions({ kind, object }: { readonly kind: BookedKind; readonly object: BookedObject & Living }) {
  const canEdit = useCanEdit();
  const nowMs = useNow();
  const [plan, setPlan] = useState<BulkPlan | null>(null);
  const close = (): void => setPlan(null);
  return (
    <Group gap="xs">
      <LifeWord booking={object} nowMs={nowMs} />
      {canEdit ? <StatusButtons targets={[object]} onPlan={setPlan} /> : null}
      {plan === null ? null : <ChangesDialog kind={kind} plan={plan} onDone={close} onClose={close} />}
    </Group>
  );
}

/** The way back to what an object belongs to. */
export function Trail({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" component="nav" aria-label={say('desk.trail')}>
      {children}
    </Text>
  );
}

/** One step of the way back. */
export function TrailLink({
  to,
  name,
}: {
  readonly to: '/desk/line-items' | '/desk/campaigns';
  readonly name: string;
}) {
  return (
    <Anchor inherit underline="always" renderRoot={(props) => <Link to={to} search={{}} {...props} />}>
      {name}
    </Anchor>
  );
}
