import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { say } from '../messages/say.ts';
import { FormDialog } from './form-dialog.tsx';

/** Asks to type a name before something is gone for good. */
export function ConfirmByName(props: {
  readonly title: string;
  readonly text: string;
  readonly name: string;
  readonly action: string;
  readonly isPending: boolean;
  readonly error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={props.title}
      action={props.action}
      submission={{ error: props.error, isPending: props.isPending, mutate: props.onConfirm }}
      isDangerous
      isReady={typed.trim() === props.name.trim()}
      onClose={props.onClose}
    >
      <Text>{props.text}</Text>
      <TextInput
        label={say('confirm.type', { name: props.name })}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
    </FormDialog>
  );
}
