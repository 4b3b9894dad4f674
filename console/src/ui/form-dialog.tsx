import { Button, Group, type MantineSize, Stack, TextInput } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { fieldMessage } from '../api/transport/problem.ts';
import { say } from '../messages/say.ts';
import { Dialog } from './dialog.tsx';
import { ProblemAlert } from './problem-alert.tsx';

/** A form in a dialog: what went wrong on top, the fields, then cancel and the one action. */
export function FormDialog({
  title,
  action,
  submission,
  size = 'md',
  isDangerous = false,
  isReady = true,
  onClose,
  children,
}: {
  readonly title: string;
  readonly action: string;
  /** The work that the action starts, such as a mutation. */
  readonly submission: { readonly error: unknown; readonly isPending: boolean; mutate: () => void };
  readonly size?: MantineSize;
  /** Its effect cannot be undone. */
  readonly isDangerous?: boolean;
  /** False: the action waits for something to be filled in. */
  readonly isReady?: boolean;
  onClose: () => void;
  readonly children: ReactNode;
}) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) submission.mutate();
  };
  return (
    <Dialog opened onClose={onClose} title={title} size={size}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <ProblemAlert error={submission.error} />
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {say('action.cancel')}
            </Button>
            <Button
              type="submit"
              loading={submission.isPending}
              disabled={!isReady}
              {...(isDangerous ? { color: 'red.9' } : {})}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** The name of the object that a dialog creates; the first field, with the focus. */
export function NameField({
  value,
  error,
  onChange,
}: {
  readonly value: string;
  /** Of the submission: what it says of `name` is shown here. */
  readonly error: unknown;
  onChange: (name: string) => void;
}) {
  return (
    <TextInput
      label={say('column.name')}
      required
      maxLength={200}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={fieldMessage(error, 'name')}
      data-autofocus
    />
  );
}
