import { FileButton, Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { uploadAsset } from '../api/bookings/creative-files.ts';
import { describeProblem } from '../api/transport/problem.ts';
import { NumberValueField } from '../format/number-field.tsx';
import { say } from '../messages/say.ts';
import { useDeskScope } from '../session/desk-scope.ts';
import type { ContentDraft } from './content-draft.ts';

const SIDE_MAX = 10_000;
const SECONDS_MAX = 3_600;

interface ContentFieldsProps {
  readonly draft: ContentDraft;
  onChange: (next: Partial<ContentDraft>) => void;
}

/** The fields of content that is typed. */
export function ContentFields({ draft, onChange }: ContentFieldsProps) {
  switch (draft.kind) {
    case 'markup':
      return (
        <Textarea
          label={say('content.html')}
          description={say('content.html_hint', { macro: '${CLICK_URL}' })}
          required
          autosize
          minRows={4}
          maxRows={16}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={draft.html}
          onChange={(event) => onChange({ html: event.currentTarget.value })}
        />
      );
    case 'vast':
      return (
        <Group align="flex-start" gap="sm">
          <TextInput
            label={say('content.vast')}
            description={say('content.vast_hint')}
            required
            type="url"
            style={{ flex: '1 1 320px' }}
            value={draft.vastTagUrl}
            onChange={(event) => onChange({ vastTagUrl: event.currentTarget.value })}
          />
          <NumberValueField
            label={say('content.seconds')}
            description={say('content.seconds_hint')}
            required
            w={180}
            min={1}
            max={SECONDS_MAX}
            value={draft.seconds}
            onChange={(seconds) => onChange({ seconds })}
          />
        </Group>
      );
    case 'native':
      return <NativeFields draft={draft} onChange={onChange} />;
  }
}

function NativeFields({ draft, onChange }: ContentFieldsProps) {
  const text = (name: 'title' | 'body' | 'callToAction' | 'sponsoredBy') => (
    <TextInput
      label={say(`content.${name}`)}
      required
      style={{ flex: '1 1 220px' }}
      value={draft[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
  const side = (name: 'imageWidth' | 'imageHeight') => (
    <NumberValueField
      label={say(`content.${name}`)}
      required
      isWhole
      w={180}
      min={1}
      max={SIDE_MAX}
      value={draft[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <Stack gap="sm">
      <Group gap="sm">
        {text('title')}
        {text('sponsoredBy')}
      </Group>
      <Group gap="sm">
        {text('body')}
        {text('callToAction')}
      </Group>
      <PictureField
        label={say('content.imageUrl')}
        isRequired
        value={draft.imageUrl}
        onChange={(imageUrl, size) => onChange({ imageUrl, ...size })}
      />
      <Group gap="sm">
        {side('imageWidth')}
        {side('imageHeight')}
      </Group>
      <PictureField
        label={say('content.iconUrl')}
        value={draft.iconUrl}
        onChange={(iconUrl) => onChange({ iconUrl })}
      />
    </Stack>
  );
}

/** The address of a picture, typed or of an upload; the upload says its size. */
function PictureField({
  label,
  isRequired = false,
  value,
  onChange,
}: {
  readonly label: string;
  readonly isRequired?: boolean;
  readonly value: string;
  onChange: (url: string, size?: { readonly imageWidth: number | null; readonly imageHeight: number | null }) => void;
}) {
  const scope = useDeskScope();
  const [isSending, setIsSending] = useState(false);
  const send = async (file: File | null): Promise<void> => {
    if (file === null) return;
    setIsSending(true);
    try {
      const { url, width, height } = await uploadAsset(scope, file, () => undefined);
      onChange(url, { imageWidth: width, imageHeight: height });
    } catch (error) {
      notifications.show({ color: 'red', message: describeProblem(error) });
    }
    setIsSending(false);
  };
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        label={label}
        required={isRequired}
        style={{ flex: '1 1 260px' }}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <FileButton accept="image/*" onChange={(file) => void send(file)}>
        {(props) => (
          <Button
            variant="default"
            loading={isSending}
            aria-label={say('content.upload_of', { name: label })}
            {...props}
          >
            {say('content.upload')}
          </Button>
        )}
      </FileButton>
    </Group>
  );
}
