import { Alert, Button, FileButton, Group, List, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type DragEvent, useEffect, useState } from 'react';
import { loadDeliveryUrl } from '../api/inventory/integration.ts';
import { TYPED_KINDS, type TypedKind } from '../creative/content-draft.ts';
import { ACCEPTED_FILES } from '../creative/file-content.ts';
import { useCanEdit } from '../session/session.ts';
import { ObjectLink } from '../tables/column-parts.tsx';
import { TrailLink } from '../line-item/object-header.tsx';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { FileCard } from './file-card.tsx';
import { missingSizes } from './match-line-items.ts';
import { creativeOf } from './studio-file.ts';
import { FILES_MAX, useStudio } from './use-studio.ts';

/** Many files at once become creatives of a campaign: sizes are read, line items are proposed, and the API's own checks come as one types. */
export function StudioPage() {
  const { id = '' } = useParams({ strict: false });
  const canEdit = useCanEdit();
  const studio = useStudio(id);
  const { campaign, lineItems, sizesOf, files, landing, saving } = studio;
  const { data } = campaign;
  usePastedFiles(studio.add, canEdit && data !== undefined && data !== null);
  if (data === null)
    return (
      <Page title={say('studio.title')}>
        <Text>{say('campaign.missing', { id })}</Text>
        <TrailLink to="/desk/campaigns" name={say('nav.campaigns')} />
      </Page>
    );
  const open = files.filter(({ isDone }) => !isDone);
  const savable = open.filter(
    (file) => file.creativeId !== null || creativeOf(file, data?.advertiserId ?? '', landing) !== null,
  );
  const done = files.length - open.length;
  return (
    <Page title={say('studio.title')} lead={say('studio.lead', { campaign: data?.name ?? '' })}>
      <ProblemAlert error={campaign.error} onRetry={() => void campaign.refetch()} />
      {campaign.isPending ? <LoadingPage /> : null}
      {data === undefined ? null : (
        <Stack gap="md">
          <div>
            <ObjectLink to="/desk/campaigns/$id" id={id} name={data.name} />
          </div>
          {data.lineItems.totalCount > lineItems.length ? (
            <Text>{say('studio.more_line_items', { shown: lineItems.length, total: data.lineItems.totalCount })}</Text>
          ) : null}
          {canEdit ? null : <Text>{say('studio.read_only')}</Text>}
          {canEdit ? <DropArea onFiles={studio.add} onBegin={studio.begin} isFull={files.length >= FILES_MAX} /> : null}
          <TextInput
            label={say('studio.landing')}
            description={say('studio.landing_hint')}
            type="url"
            value={landing}
            maw={640}
            onChange={(event) => studio.setClickUrl(event.currentTarget.value)}
          />
          <Missing
            missing={missingSizes(
              lineItems,
              sizesOf,
              files.map(({ size, lineItemIds }) => ({ size, lineItemIds })),
            )}
          />
          {files.length === 0 ? null : <FileList studio={studio} />}
          <ProblemAlert error={saving.error} />
          {done === 0 ? null : (
            <Text component="output" display="block">
              {say('studio.done', { count: done })}
            </Text>
          )}
          <SaveButton saving={saving} isDisabled={!canEdit} savable={savable.length} open={open.length} />
        </Stack>
      )}
    </Page>
  );
}

/** Creates what is complete, and says how much is not. */
function SaveButton({
  saving,
  isDisabled,
  savable,
  open,
}: {
  readonly saving: { readonly isPending: boolean; mutate: () => void };
  readonly isDisabled: boolean;
  /** Complete files, and all that are not created yet. */
  readonly savable: number;
  readonly open: number;
}) {
  return (
    <Group>
      <Button disabled={isDisabled || savable === 0} loading={saving.isPending} onClick={() => saving.mutate()}>
        {say('studio.add', { count: savable })}
      </Button>
      {open > savable ? (
        <Text size="sm" c="dimmed">
          {say('studio.left_out', { count: open - savable })}
        </Text>
      ) : null}
    </Group>
  );
}

function FileList({ studio }: { readonly studio: ReturnType<typeof useStudio> }) {
  const delivery = useQuery({ queryKey: ['delivery-url'], queryFn: ({ signal }) => loadDeliveryUrl(signal) });
  const { files, landing, lineItems } = studio;
  return (
    <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={say('studio.files')}>
      {files.map((file) => (
        <FileCard
          key={file.key}
          file={file}
          landing={landing}
          lineItems={lineItems}
          deliveryUrl={delivery.data ?? null}
          onChange={(next) => studio.change(file.key, next)}
          onResize={(size) => studio.resize(file.key, size)}
          onSearch={studio.find}
          onRemove={() => studio.remove(file.key)}
        />
      ))}
    </Stack>
  );
}

/** A drop area that is also a button: files come by drag, by paste, or from a dialog. */
function DropArea({
  onFiles,
  onBegin,
  isFull,
}: {
  readonly onFiles: (files: readonly File[]) => void;
  onBegin: (kind: TypedKind) => void;
  readonly isFull: boolean;
}) {
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <Paper
      withBorder
      p="lg"
      style={{
        borderStyle: 'dashed',
        borderWidth: 2,
        ...(isOver ? { borderColor: 'var(--mantine-primary-color-filled)' } : {}),
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Group justify="space-between">
        <div>
          <Text fw={600}>{say('studio.drop')}</Text>
          <Text size="sm" c="dimmed">
            {say('studio.drop_hint', { max: FILES_MAX })}
          </Text>
        </div>
        <FileButton multiple accept={ACCEPTED_FILES} onChange={onFiles}>
          {(props) => (
            <Button variant="default" leftSection={<Icon name="plus" size={16} />} disabled={isFull} {...props}>
              {say('studio.choose')}
            </Button>
          )}
        </FileButton>
      </Group>
      <Group gap="xs" mt="sm">
        <Text size="sm">{say('studio.without_file')}</Text>
        {TYPED_KINDS.map((kind) => (
          <Button key={kind} size="xs" variant="default" disabled={isFull} onClick={() => onBegin(kind)}>
            {say(`studio.kind_${kind}`)}
          </Button>
        ))}
      </Group>
    </Paper>
  );
}

/** Files that are pasted anywhere on the page; text that is pasted into a field stays there. */
function usePastedFiles(onFiles: (files: readonly File[]) => void, isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const paste = ({ clipboardData }: ClipboardEvent): void => {
      const files = [...(clipboardData?.files ?? [])];
      if (files.length > 0) onFiles(files);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, [onFiles, isOpen]);
}

function Missing({ missing }: { readonly missing: ReturnType<typeof missingSizes> }) {
  if (missing.length === 0) return null;
  return (
    <Alert
      variant="outline"
      color="yellow"
      title={say('studio.missing')}
      styles={{ title: { color: 'var(--mantine-color-text)' }, message: { color: 'var(--mantine-color-text)' } }}
    >
      <List size="sm">
        {missing.slice(0, 10).map(({ lineItem, sizes }) => (
          <List.Item key={lineItem.id}>
            {say('studio.missing_line', {
              name: lineItem.name,
              sizes: sizes.map(({ width, height }) => `${width} × ${height}`).join(', '),
            })}
          </List.Item>
        ))}
      </List>
      {missing.length > 10 ? <Text size="sm">{say('studio.missing_more', { count: missing.length - 10 })}</Text> : null}
    </Alert>
  );
}
