import { Button, FileButton, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { saveCatalogObject } from '../api/bookings/catalog.ts';
import type { CreativeDetail } from '../api/bookings/creatives/creative-detail.ts';
import { LOGGED_KINDS } from '../api/bookings/desk-object.ts';
import { isolate } from '../messages/isolate.ts';
import { say } from '../messages/say.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { type ContentDraft, contentOfDraft, draftOf, newDraft, TYPED_KINDS, type TypedKind } from './content-draft.ts';
import { ContentFields } from './content-fields.tsx';
import { ACCEPTED_FILES, prepareFile, type PreparedFile } from './file-content.ts';

const WAYS = ['file', ...TYPED_KINDS] as const;
type Way = (typeof WAYS)[number];

interface ChosenFile extends PreparedFile {
  readonly name: string;
}

/** Gives a creative another content. Its name, its line items and its figures stay, and the history can bring the content back. */
export function ReplaceDialog({ creative, onClose }: { readonly creative: CreativeDetail; onClose: () => void }) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const typed = draftOf(creative.content);
  const [way, setWay] = useState<Way>(typed?.kind ?? 'file');
  const [drafts, setDrafts] = useState<Partial<Record<TypedKind, ContentDraft>>>(
    typed === null ? {} : { [typed.kind]: typed },
  );
  const [file, setFile] = useState<ChosenFile | null>(null);
  const draft = way === 'file' ? null : (drafts[way] ?? newDraft(way));
  const input = draft === null ? inputOfFile(file) : inputOfDraft(draft, creative);
  const { owner } = creative;
  const saving = useMutation({
    mutationFn: (change: object) => saveCatalogObject(scope, LOGGED_KINDS[owner.kind], { ...change }, owner),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      notifications.show({ message: say('creative.replaced', { name: creative.name }) });
      onClose();
    },
  });
  return (
    <Dialog opened onClose={onClose} size="lg" title={say('creative.replace_title', { name: creative.name })}>
      <Stack>
        <Text size="sm">{say('creative.replace_hint', { count: creative.uses.length })}</Text>
        <SegmentedControl
          size="xs"
          aria-label={say('creative.replace_by')}
          value={way}
          onChange={(next) => setWay(next as Way)}
          data={WAYS.map((value) => ({ value, label: say(`creative.way_${value}`) }))}
        />
        {draft === null ? (
          <FileChoice file={file} size={creative} onFile={setFile} />
        ) : (
          <ContentFields
            draft={draft}
            onChange={(next) => setDrafts((all) => ({ ...all, [draft.kind]: { ...draft, ...next } }))}
          />
        )}
        <ProblemAlert error={saving.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {say('action.cancel')}
          </Button>
          <Button
            loading={saving.isPending}
            disabled={input === null}
            onClick={() => (input === null ? undefined : saving.mutate(input))}
          >
            {say('creative.replace')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** A size that the bytes do not say stays as it is. */
function inputOfFile(file: ChosenFile | null): object | null {
  if (file === null || file.ready === null || file.failure !== null) return null;
  const { kind, content } = file.ready;
  const isSizeless = kind === 'video' || kind === 'audio';
  return { content, ...(isSizeless ? { width: 0, height: 0 } : file.size) };
}

function inputOfDraft(draft: ContentDraft, { name }: Pick<CreativeDetail, 'name'>): object | null {
  const content = contentOfDraft(draft, name);
  if (content === null) return null;
  return { content, ...(draft.kind === 'markup' ? {} : { width: 0, height: 0 }) };
}

function FileChoice({
  file,
  size,
  onFile,
}: {
  readonly file: ChosenFile | null;
  readonly size: { readonly width: number; readonly height: number };
  onFile: (file: ChosenFile | null) => void;
}) {
  const scope = useDeskScope();
  const preparing = useMutation({
    mutationFn: async (chosen: File) => ({ ...(await prepareFile(scope, chosen)), name: chosen.name }),
    onSuccess: onFile,
  });
  const other =
    file?.size !== undefined &&
    file.size.width > 0 &&
    (file.size.width !== size.width || file.size.height !== size.height)
      ? file.size
      : null;
  return (
    <Stack gap="xs" align="flex-start">
      <FileButton
        accept={ACCEPTED_FILES}
        onChange={(chosen) => (chosen === null ? undefined : preparing.mutate(chosen))}
      >
        {(props) => (
          <Button variant="default" loading={preparing.isPending} {...props}>
            {say('creative.choose_file')}
          </Button>
        )}
      </FileButton>
      <ProblemAlert error={preparing.error} />
      {file === null ? null : (
        <Text size="sm" component="output">
          {[isolate(file.name), file.failure].filter((part) => part !== null).join(': ')}
        </Text>
      )}
      {other === null ? null : (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {say('creative.other_size', {
            before: `${size.width} × ${size.height}`,
            after: `${other.width} × ${other.height}`,
          })}
        </Text>
      )}
    </Stack>
  );
}
