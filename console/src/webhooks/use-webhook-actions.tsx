import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { deleteWebhook, testWebhook, updateWebhook, type Webhook } from '../api/account/webhooks.ts';
import { say } from '../messages/say.ts';
import { useScope } from '../session/session.ts';
import { ConfirmByName } from '../ui/confirm-by-name.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { SecretOnce } from '../ui/secret-once.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

/** An action that opens a dialog. */
export type WebhookAction =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'rotate' | 'delete'; readonly webhook: Webhook };

type Open = WebhookAction | { readonly kind: 'secret'; readonly value: string };

/** The actions on webhooks; `dialog` is the dialog that is open. */
export interface WebhookActions {
  open: (action: WebhookAction) => void;
  sendTest: (webhook: Webhook) => void;
  toggle: (webhook: Webhook) => void;
  /** Of a test or of a changed status. */
  readonly error: Error | null;
  readonly dialog: ReactNode;
}

/** The start of the keys of all queries of webhooks. */
export function useWebhooksKey(): readonly string[] {
  const { environment, networkId } = useScope();
  return ['webhooks', environment, networkId];
}

/** Changes of webhooks and their dialogs; `onDeleted` comes after a deletion. */
export function useWebhookActions(onDeleted: () => void): WebhookActions {
  const scope = useScope();
  const client = useQueryClient();
  const queryKey = useWebhooksKey();
  const [shown, setShown] = useState<Open | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey });
  const testing = useMutation({
    mutationFn: (webhook: Webhook) => testWebhook(scope, webhook.id),
    onSuccess: async () => {
      notifications.show({ message: say('webhooks.test_queued') });
      await refresh();
    },
  });
  const toggling = useMutation({
    mutationFn: (webhook: Webhook) =>
      updateWebhook(scope, webhook, { status: webhook.status === 'ACTIVE' ? 'PAUSED' : 'ACTIVE' }),
    onSettled: refresh,
  });
  const saved = (secret: string | null): void => {
    setShown(secret === null ? null : { kind: 'secret', value: secret });
    void refresh();
  };
  const deleted = (): void => {
    setShown(null);
    onDeleted();
    void refresh();
  };
  return {
    open: setShown,
    sendTest: (webhook) => testing.mutate(webhook),
    toggle: (webhook) => toggling.mutate(webhook),
    error: testing.error ?? toggling.error,
    dialog: <OpenDialog shown={shown} onSaved={saved} onDeleted={deleted} onClose={() => setShown(null)} />,
  };
}

interface DialogProps {
  /** With the new secret, if there is one. */
  onSaved: (secret: string | null) => void;
  onClose: () => void;
}

function OpenDialog({
  shown,
  onDeleted,
  ...props
}: DialogProps & { readonly shown: Open | null; readonly onDeleted: () => void }): ReactNode {
  const scope = useScope();
  switch (shown?.kind) {
    case undefined:
      return null;
    case 'create':
      return <WebhookDialog scope={scope} webhook={null} {...props} />;
    case 'edit':
      return <WebhookDialog scope={scope} webhook={shown.webhook} {...props} />;
    case 'rotate':
      return <RotateDialog webhook={shown.webhook} {...props} />;
    case 'delete':
      return <DeleteDialog webhook={shown.webhook} onDeleted={onDeleted} onClose={props.onClose} />;
    case 'secret': {
      const secrets = [{ label: say('webhooks.secret'), value: shown.value }];
      return <SecretOnce title={say('webhooks.secret_title')} secrets={secrets} onClose={props.onClose} />;
    }
  }
}

function RotateDialog({ webhook, onSaved, onClose }: DialogProps & { readonly webhook: Webhook }) {
  const scope = useScope();
  const rotating = useMutation({
    mutationFn: () => updateWebhook(scope, webhook, { rotateSecret: true }),
    onSuccess: onSaved,
  });
  return (
    <FormDialog
      title={say('webhooks.rotate')}
      action={say('webhooks.rotate')}
      submission={rotating}
      isDangerous
      onClose={onClose}
    >
      <Text>{say('webhooks.rotate_text', { name: webhook.name })}</Text>
    </FormDialog>
  );
}

function DeleteDialog({
  webhook: { id, name },
  onDeleted,
  onClose,
}: {
  readonly webhook: Webhook;
  onDeleted: () => void;
  onClose: () => void;
}) {
  const scope = useScope();
  const deleting = useMutation({ mutationFn: () => deleteWebhook(scope, id), onSuccess: onDeleted });
  return (
    <ConfirmByName
      title={say('webhooks.delete')}
      text={say('webhooks.delete_text', { name })}
      name={name}
      action={say('action.delete')}
      isPending={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    />
  );
}
