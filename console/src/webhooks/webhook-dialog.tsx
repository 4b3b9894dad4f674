import { MultiSelect, Radio, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createWebhook, updateWebhook, type Webhook } from '../api/account/webhooks.ts';
import { fieldMessage } from '../api/transport/problem.ts';
import type { Scope } from '../api/transport/scope.ts';
import { say } from '../messages/say.ts';
import { FormDialog, NameField } from '../ui/form-dialog.tsx';
import { ALL_TYPES, eventChoices, withoutIncluded } from './event-words.ts';

/** The form of a webhook: of a new one where `webhook` is null. */
export function WebhookDialog({
  scope,
  webhook,
  onSaved,
  onClose,
}: {
  readonly scope: Scope;
  readonly webhook: Webhook | null;
  /** With the secret of a new webhook. */
  onSaved: (secret: string | null) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState(webhook?.name ?? '');
  const [url, setUrl] = useState(webhook?.url ?? 'https://');
  const [types, setTypes] = useState<readonly string[]>(webhook?.types ?? [ALL_TYPES]);
  const saving = useMutation({
    mutationFn: () => {
      const form = { name, url: url.trim(), types };
      return webhook === null ? createWebhook(scope, form) : updateWebhook(scope, webhook, form);
    },
    onSuccess: onSaved,
  });
  const title = say(webhook === null ? 'webhooks.create' : 'webhooks.edit');
  return (
    <FormDialog
      title={title}
      action={webhook === null ? title : say('action.save')}
      submission={saving}
      size="lg"
      onClose={onClose}
    >
      <NameField value={name} error={saving.error} onChange={setName} />
      <TextInput
        label={say('webhooks.url')}
        description={say('webhooks.url_hint')}
        required
        type="url"
        maxLength={2000}
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        error={fieldMessage(saving.error, 'url')}
      />
      <TypesField types={types} error={fieldMessage(saving.error, 'types')} onChange={setTypes} />
    </FormDialog>
  );
}

function TypesField({
  types,
  error,
  onChange,
}: {
  readonly types: readonly string[];
  readonly error: string | null;
  onChange: (types: readonly string[]) => void;
}) {
  const [hasAll, setHasAll] = useState(types.includes(ALL_TYPES));
  const choose = (all: boolean): void => {
    setHasAll(all);
    onChange(all ? [ALL_TYPES] : []);
  };
  return (
    <Stack gap="xs">
      <Radio.Group
        label={say('webhooks.events')}
        value={hasAll ? 'all' : 'some'}
        onChange={(value) => choose(value === 'all')}
      >
        <Stack gap={6} mt={6}>
          <Radio value="all" label={say('webhooks.all')} description={say('webhooks.all_hint')} />
          <Radio value="some" label={say('webhooks.some')} />
        </Stack>
      </Radio.Group>
      {hasAll ? null : (
        <MultiSelect
          aria-label={say('webhooks.events')}
          placeholder={types.length === 0 ? say('webhooks.types_hint') : ''}
          data={eventChoices()}
          value={[...types]}
          searchable
          hidePickedOptions
          error={error}
          onChange={(value) => onChange(withoutIncluded(value))}
        />
      )}
    </Stack>
  );
}
