import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { handItem, snoozeItem } from '../api/bookings/attention.ts';
import { loadColleagues } from '../api/bookings/team.ts';
import { describeProblem } from '../api/transport/problem.ts';
import { formatInstant } from '../format/format-value.ts';
import { say } from '../messages/say.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { useCanEdit, useSession } from '../session/session.ts';
import { Icon } from '../ui/icons.tsx';
import type { AttentionEntry } from './attention.ts';
import { SNOOZE_CHOICES, snoozeUntil } from './snooze-times.ts';

const MENU_HEIGHT_MAX = '60vh';

/** What else can be done about an entry: open it, put it off, hand it to a colleague. */
export function EntryMenu({ entry: { item } }: { readonly entry: AttentionEntry }) {
  const [opened, setOpened] = useState(false);
  const act = useActions(item.id);
  const { snoozedUntil, handedTo } = item.attention;
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon size="md" aria-label={say('attention.more_actions', { name: item.name })}>
          <Icon name="down" size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={MENU_HEIGHT_MAX} style={{ overflowY: 'auto' }}>
        <Menu.Item
          renderRoot={(props) => <Link to="/desk/line-items/$id" params={{ id: item.id }} search={{}} {...props} />}
        >
          {say('attention.action_open')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{say('attention.snooze')}</Menu.Label>
        {snoozedUntil === null ? (
          <SnoozeItems onChoose={(until) => act({ kind: 'snooze', until })} />
        ) : (
          <Menu.Item onClick={() => act({ kind: 'snooze', until: null })}>{say('attention.wake')}</Menu.Item>
        )}
        {opened ? <HandItems handedToId={handedTo?.id ?? null} onChoose={(to) => act({ kind: 'hand', to })} /> : null}
      </Menu.Dropdown>
    </Menu>
  );
}

function SnoozeItems({ onChoose }: { onChoose: (until: string) => void }) {
  const { timezone, nowMs } = useCellContext();
  if (timezone === undefined) return null;
  return SNOOZE_CHOICES.map((choice) => (
    <Menu.Item key={choice} onClick={() => onChoose(snoozeUntil(choice, nowMs, timezone))}>
      {say(`attention.snooze_${choice}`)}
    </Menu.Item>
  ));
}

/** The colleagues, once the menu is open; nothing for those who may not hand anything over. */
function HandItems({
  handedToId,
  onChoose,
}: {
  readonly handedToId: string | null;
  onChoose: (to: { readonly id: string; readonly name: string } | null) => void;
}) {
  const scope = useDeskScope();
  const canEdit = useCanEdit();
  const { user } = useSession();
  const colleagues = useQuery({
    queryKey: ['colleagues', scope.networkId],
    queryFn: ({ signal }) => loadColleagues(scope, signal),
    enabled: canEdit,
    staleTime: 60_000,
  });
  if (!canEdit) return null;
  const others = (colleagues.data ?? []).filter(({ id }) => id !== handedToId);
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{say('attention.hand_to')}</Menu.Label>
      {handedToId === null ? null : <Menu.Item onClick={() => onChoose(null)}>{say('attention.take_back')}</Menu.Item>}
      {others.map((colleague) => (
        <Menu.Item key={colleague.id} onClick={() => onChoose(colleague)}>
          <bdi>{colleague.id === user.id ? say('attention.me', { name: colleague.name }) : colleague.name}</bdi>
        </Menu.Item>
      ))}
    </>
  );
}

type Action =
  | { readonly kind: 'snooze'; readonly until: string | null }
  | { readonly kind: 'hand'; readonly to: { readonly id: string; readonly name: string } | null };

/** Carries an action out at once, and says what was done. */
function useActions(lineItemId: string): (action: Action) => void {
  const scope = useDeskScope();
  const client = useQueryClient();
  const { timezone } = useCellContext();
  const acting = useMutation({
    mutationFn: (action: Action) =>
      action.kind === 'snooze'
        ? snoozeItem(scope, lineItemId, action.until)
        : handItem(scope, lineItemId, action.to?.id ?? null),
    onSuccess: (_done, action) => notifications.show({ message: doneText(action, timezone) }),
    onError: (error) => notifications.show({ color: 'red', message: describeProblem(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: deskKey(scope) }),
  });
  return acting.mutate;
}

function doneText(action: Action, timezone: string | undefined): string {
  if (action.kind === 'hand')
    return action.to === null ? say('attention.taken_back') : say('attention.handed', { name: action.to.name });
  return action.until === null
    ? say('attention.woken')
    : say('attention.snoozed', { at: formatInstant(action.until, timezone) });
}
