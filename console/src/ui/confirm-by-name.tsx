import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { say } from '../messages/say.ts';
import { ProblemAlert } from './problem-alert.tsx';

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
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (typed.trim() === props.name.trim()) props.onConfirm();
  };
  return (
    <Modal opened onClose={props.onClose} title={props.title}>
      <form onSubmit={submit}>
        <Stack>
          <Text>{props.text}</Text>
          <ProblemAlert error={props.error} />
          <TextInput
            label={say('confirm.type', { name: props.name })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={props.onClose}>
              {say('action.cancel')}
            </Button>
            <Button type="submit" color="red.9" disabled={typed.trim() !== props.name.trim()} loading={props.isPending}>
              {props.action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
