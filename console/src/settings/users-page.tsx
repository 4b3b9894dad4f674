import { Button, Code, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Role, ROLES } from '../api/account/auth.ts';
import { fieldMessage } from '../api/transport/problem.ts';
import {
  changeRole,
  type InvitationDelivery,
  inviteUser,
  listUsers,
  type NetworkUser,
  type OpenInvitation,
  removeMember,
  revokeInvitation,
} from '../api/account/settings.ts';
import { useScope, useSession } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ConfirmByName } from '../ui/confirm-by-name.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Instant } from '../ui/instant.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { type SettingsColumn, SettingsTable } from '../ui/settings-table.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';

type Dialog =
  | { readonly kind: 'invite' }
  | { readonly kind: 'remove'; readonly user: NetworkUser }
  | { readonly kind: 'invited'; readonly id: string };

const MAIL_POLL_MS = 3_000;

/** Members and invitations, the dialog that is open, and what changes them. */
function useMembers() {
  const scope = useScope();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const client = useQueryClient();
  const queryKey = ['users', scope.networkId];
  const everyone = useQuery({
    queryKey,
    queryFn: ({ signal }) => listUsers(scope, signal),
    // Until the mail server has responded for every mail.
    refetchInterval: ({ state }) =>
      state.data?.invitations.some(({ delivery }) => delivery === 'QUEUED') === true ? MAIL_POLL_MS : false,
  });
  const refresh = (): void => void client.invalidateQueries({ queryKey });
  const changing = useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) => changeRole(scope, id, role),
    onSettled: refresh,
  });
  const withdrawing = useMutation({ mutationFn: (id: string) => revokeInvitation(scope, id), onSettled: refresh });
  const removing = useMutation({
    mutationFn: (user: NetworkUser) => removeMember(scope, user.id),
    onSuccess: () => {
      setDialog(null);
      refresh();
    },
  });
  return { everyone, dialog, setDialog, changing, withdrawing, removing, refresh };
}

/** Who can open the network, and as what. */
export function UsersPage() {
  const { user: self } = useSession();
  const { everyone, dialog, setDialog, changing, withdrawing, removing, refresh } = useMembers();
  return (
    <Page
      title={say('nav.users')}
      lead={say('users.lead')}
      actions={<Button onClick={() => setDialog({ kind: 'invite' })}>{say('users.invite')}</Button>}
    >
      <Stack>
        <ProblemAlert error={everyone.error ?? changing.error ?? withdrawing.error} />
        {everyone.isPending ? <LoadingPage /> : null}
        {everyone.data === undefined ? null : (
          <>
            <SettingsTable
              label={say('nav.users')}
              columns={userColumns({
                selfId: self.id,
                change: (id, role) => changing.mutate({ id, role }),
                remove: (user) => setDialog({ kind: 'remove', user }),
              })}
              rows={everyone.data.users}
              rowKey={(user) => user.id}
              empty={say('users.empty')}
            />
            <Title order={2}>{say('users.invitations')}</Title>
            <SettingsTable
              label={say('users.invitations')}
              columns={invitationColumns((id) => withdrawing.mutate(id))}
              rows={everyone.data.invitations}
              rowKey={(one) => one.id}
              empty={say('users.no_invitations')}
            />
          </>
        )}
      </Stack>
      {dialog?.kind === 'invite' ? (
        <InviteDialog
          onInvited={({ id, delivery }) => {
            setDialog(delivery === 'OPERATOR' ? { kind: 'invited', id } : null);
            refresh();
          }}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog?.kind === 'invited' ? <OperatorDialog id={dialog.id} onClose={() => setDialog(null)} /> : null}
      {dialog?.kind === 'remove' ? (
        <ConfirmByName
          title={say('users.remove')}
          text={say('users.remove_text', { email: dialog.user.email })}
          name={dialog.user.email}
          action={say('users.remove')}
          isPending={removing.isPending}
          error={removing.error}
          onConfirm={() => removing.mutate(dialog.user)}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </Page>
  );
}

function RoleSelect({
  label,
  role,
  onChange,
}: {
  readonly label: string;
  readonly role: Role;
  onChange: (role: Role) => void;
}) {
  return (
    <Select
      size="xs"
      w={130}
      aria-label={label}
      data={ROLES.map((value) => ({ value, label: say(`role.${value}`) }))}
      value={role}
      allowDeselect={false}
      onChange={(value) => (value === null || value === role ? undefined : onChange(value as Role))}
    />
  );
}

function userColumns(acts: {
  readonly selfId: string;
  change: (id: string, role: Role) => void;
  remove: (user: NetworkUser) => void;
}): SettingsColumn<NetworkUser>[] {
  return [
    {
      title: say('column.name'),
      render: (user) => (
        <>
          {user.name}
          {user.id === acts.selfId ? ` (${say('users.you')})` : ''}
          <Text size="sm" c="dimmed">
            {user.email}
          </Text>
        </>
      ),
    },
    {
      title: say('column.role'),
      render: (user) => (
        <RoleSelect
          label={say('users.role_of', { email: user.email })}
          role={user.role}
          onChange={(role) => acts.change(user.id, role)}
        />
      ),
    },
    {
      title: say('column.state'),
      render: (user) => say(user.disabledAt === null ? 'key_state.active' : 'key_state.disabled'),
    },
    { title: say('column.created'), render: (user) => <Instant at={user.createdAt} /> },
    {
      title: say('column.actions'),
      isAction: true,
      render: (user) => (
        <Button
          size="xs"
          variant="default"
          onClick={() => acts.remove(user)}
          aria-label={`${say('users.remove')}: ${user.email}`}
        >
          {say('users.remove')}
        </Button>
      ),
    },
  ];
}

function invitationColumns(withdraw: (id: string) => void): SettingsColumn<OpenInvitation>[] {
  return [
    { title: say('sign_in.email'), render: (one) => one.email },
    { title: say('column.role'), render: (one) => say(`role.${one.role}`) },
    {
      title: say('users.delivery'),
      render: (one) => (
        <>
          {say(`invitation_mail.${one.delivery}`)}
          <Text size="sm" c="dimmed">
            {one.delivery === 'OPERATOR' ? <Code>{`placard users invitation-link ${one.id}`}</Code> : one.deliveryError}
          </Text>
        </>
      ),
    },
    { title: say('column.expires'), render: (one) => <Instant at={one.expiresAt} /> },
    {
      title: say('column.actions'),
      isAction: true,
      render: (one) => (
        <Button
          size="xs"
          variant="default"
          onClick={() => withdraw(one.id)}
          aria-label={`${say('users.withdraw')}: ${one.email}`}
        >
          {say('users.withdraw')}
        </Button>
      ),
    },
  ];
}

/** Without mail the operator hands the link out: the console never shows it. */
function OperatorDialog({ id, onClose }: { readonly id: string; onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title={say('users.invited')}>
      <Stack>
        <Text>{say('users.operator_text')}</Text>
        <Code block>{`placard users invitation-link ${id}`}</Code>
        <Button onClick={onClose} data-autofocus>
          {say('action.done')}
        </Button>
      </Stack>
    </Dialog>
  );
}

function InviteDialog({
  onInvited,
  onClose,
}: {
  onInvited: (made: { id: string; delivery: InvitationDelivery }) => void;
  onClose: () => void;
}) {
  const scope = useScope();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const inviting = useMutation({ mutationFn: () => inviteUser(scope, email, role), onSuccess: onInvited });
  return (
    <FormDialog title={say('users.invite')} action={say('users.invite')} submission={inviting} onClose={onClose}>
      <TextInput
        label={say('sign_in.email')}
        type="email"
        required
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={fieldMessage(inviting.error, 'email')}
        data-autofocus
      />
      <Select
        label={say('column.role')}
        data={ROLES.map((value) => ({ value, label: `${say(`role.${value}`)}: ${say(`role_text.${value}`)}` }))}
        value={role}
        allowDeselect={false}
        onChange={(value) => setRole(value as Role)}
      />
      <Text size="sm" c="dimmed">
        {say('users.invite_text')}
      </Text>
    </FormDialog>
  );
}
