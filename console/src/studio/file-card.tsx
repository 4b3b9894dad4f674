import { ActionIcon, Alert, Group, List, MultiSelect, Paper, Progress, Stack, Text, TextInput } from '@mantine/core';
import type { Size, StudioLineItem } from '../api/bookings/creative-files.ts';
import { ContentFields } from '../creative/content-fields.tsx';
import { isolate } from '../messages/isolate.ts';
import { NumberValueField } from '../format/number-field.tsx';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { missingOf, type StudioFile } from './studio-file.ts';

const PREVIEW_PX = 150;
const BYTES_IN_KB = 1_000;
/** Pixels of a browser's own player of sounds. */
const SOUND_SIZE = [300, 150] as const;

/** One file: its preview, its name and size, the line items that it serves in, and what the API says of it. */
export function FileCard({
  file,
  deliveryUrl,
  onRemove,
  ...fields
}: FileFieldsProps & { readonly deliveryUrl: string | null; readonly onRemove: () => void }) {
  const { lineItems } = fields;
  const { fileName, sizeBytes, sent, failure, ready, draft, size, isMeasured, lineItemIds, isDone } = file;
  return (
    <Paper withBorder p="md" component="li">
      <Group align="flex-start" wrap="wrap" gap="md">
        {draft === null ? <Preview file={file} deliveryUrl={deliveryUrl} /> : null}
        <Stack gap="xs" style={{ flex: '1 1 320px' }}>
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {[
                draft === null ? isolate(fileName) : null,
                ready === null ? null : say(`studio.kind_${ready.kind}`),
                isMeasured && size.width > 0 ? `${size.width} × ${size.height}` : null,
                draft === null
                  ? say('studio.kilobytes', { size: Math.max(1, Math.round(sizeBytes / BYTES_IN_KB)) })
                  : null,
              ]
                .filter((part) => part !== null)
                .join(' · ')}
            </Text>
            {isDone ? null : (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={say('studio.remove', { name: fileName })}
                onClick={onRemove}
              >
                <Icon name="close" size={16} />
              </ActionIcon>
            )}
          </Group>
          {ready === null && failure === null ? (
            <Progress value={100 * sent} aria-label={say('studio.sending', { name: fileName })} animated />
          ) : null}
          {failure === null ? null : <Findings color="red" texts={[failure]} />}
          {isDone ? (
            <Text size="sm">
              {say('studio.file_done', { count: lineItemIds.length, names: namesOf(lineItemIds, lineItems) })}
            </Text>
          ) : null}
          {ready === null || failure !== null || isDone ? null : <FileFields file={file} {...fields} />}
        </Stack>
      </Group>
    </Paper>
  );
}

interface FileFieldsProps {
  readonly file: StudioFile;
  readonly landing: string;
  readonly lineItems: readonly StudioLineItem[];
  readonly onChange: (next: Partial<StudioFile>) => void;
  readonly onResize: (size: Size) => void;
  /** Finds further line items by what is typed. */
  readonly onSearch: (text: string) => void;
}

/** What is asked about a file that was sent: its name, its size where nothing measures it, its line items. */
function FileFields({ file, landing, lineItems, onChange, onResize, onSearch }: FileFieldsProps) {
  const { name, size, draft, isMeasured, lineItemIds } = file;
  const side = (which: keyof Size) => (
    <NumberValueField
      label={say(`studio.${which}`)}
      value={size[which] === 0 ? null : size[which]}
      isWhole
      min={1}
      max={10_000}
      w={100}
      onChange={(value) => onResize({ ...size, [which]: value ?? 0 })}
    />
  );
  return (
    <>
      <Group align="flex-end" gap="sm">
        <TextInput
          label={say('studio.name')}
          value={name}
          maxLength={200}
          style={{ flex: '1 1 200px' }}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        {isMeasured ? null : side('width')}
        {isMeasured ? null : side('height')}
      </Group>
      {draft === null ? null : (
        <ContentFields draft={draft} onChange={(next) => onChange({ draft: { ...draft, ...next } })} />
      )}
      <MultiSelect
        label={say('studio.line_items')}
        description={lineItemIds.length === 0 ? say('studio.no_line_item') : undefined}
        data={lineItems.map((one) => ({ value: one.id, label: one.name }))}
        value={[...lineItemIds]}
        searchable
        hidePickedOptions
        onSearchChange={onSearch}
        onChange={(ids) => onChange({ lineItemIds: ids })}
      />
      <Findings color="red" texts={problemsOf(file, landing)} />
      <Findings color="yellow" texts={file.checked?.warnings.map(({ message }) => message) ?? []} />
    </>
  );
}

function namesOf(ids: readonly string[], lineItems: readonly StudioLineItem[]): string {
  return lineItems
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => isolate(name))
    .join(', ');
}

function problemsOf(file: StudioFile, landing: string): string[] {
  const missing = missingOf(file, landing);
  if (missing !== null) return [say(`studio.missing_${missing}`)];
  return file.checked?.problems.map(({ message }) => message) ?? [];
}

function Findings({ color, texts }: { readonly color: 'red' | 'yellow'; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <Alert
      variant="outline"
      color={color}
      p="xs"
      role={color === 'red' ? 'alert' : 'status'}
      styles={{ message: { color: 'var(--mantine-color-text)' } }}
    >
      <List size="sm">
        {texts.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The file as a browser shows it, in a sandbox without scripts of pictures, films and sounds; bundles run in theirs. */
function Preview({
  file: { ready, size, name },
  deliveryUrl,
}: {
  readonly file: StudioFile;
  readonly deliveryUrl: string | null;
}) {
  const isSound = ready?.kind === 'audio';
  const [width, height] = isSound
    ? SOUND_SIZE
    : size.width === 0 || size.height === 0
      ? [300, 250]
      : [size.width, size.height];
  const scale = Math.min(PREVIEW_PX / width, PREVIEW_PX / height, 1);
  const address = previewAddress(ready, deliveryUrl);
  return (
    <div
      style={{
        width: PREVIEW_PX,
        height: PREVIEW_PX,
        overflow: 'hidden',
        background: 'var(--mantine-color-default-hover)',
      }}
    >
      {address === null ? null : (
        <iframe
          title={say('studio.preview', { name })}
          sandbox={ready?.kind === 'bundle' ? 'allow-scripts' : ''}
          src={address}
          loading="lazy"
          inert={!isSound}
          style={{ border: 0, width, height, transform: `scale(${scale})`, transformOrigin: '0 0' }}
        />
      )}
    </div>
  );
}

/** Markup has no address before it is saved. */
function previewAddress(ready: StudioFile['ready'], deliveryUrl: string | null): string | null {
  if (ready?.url === null || ready?.url === undefined || deliveryUrl === null) return null;
  const path = ready.kind === 'bundle' ? ready.url.replace('/assets/', '/html5/').replace(/\.zip$/, '/') : ready.url;
  return `${deliveryUrl}${path}`;
}
