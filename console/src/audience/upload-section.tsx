import { Alert, Button, FileInput, Group, List, Paper, Progress, Select, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ID_KINDS, UPLOAD_MODES, uploadMembers } from '../api/inventory/segments.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { type FileColumns, type MemberLines, readColumns, readMemberLines, toUploadBody } from './member-lines.ts';

/** Larger files go to the API as they are: a browser would hold them whole. */
const FILE_BYTES_MAX = 100_000_000;

interface Chosen {
  readonly text: string;
  readonly columns: FileColumns;
  readonly column: number;
}

/** Uploads members from a file: the column of the ids is chosen, and refused lines are named before anything is sent. */
export function UploadSection({ segmentId }: { readonly segmentId: string }) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [isTooLarge, setIsTooLarge] = useState(false);
  const [mode, setMode] = useState<Meaning['mode']>('ADD');
  const [ids, setIds] = useState<Meaning['ids']>('lu');
  const [share, setShare] = useState(0);
  const lines = chosen === null ? null : readMemberLines(chosen.text, chosen.column, chosen.columns.hasHeader);
  const sending = useMutation({
    mutationFn: (members: MemberLines) =>
      uploadMembers(scope, { segmentId, mode, ids, body: toUploadBody(members.ids) }, setShare),
    onSettled: () => client.invalidateQueries({ queryKey: deskKey(scope) }),
  });
  const pick = async (file: File | null): Promise<void> => {
    sending.reset();
    setShare(0);
    setIsTooLarge(file !== null && file.size > FILE_BYTES_MAX);
    if (file === null || file.size > FILE_BYTES_MAX) return setChosen(null);
    const text = await file.text();
    const columns = readColumns(text);
    setChosen({ text, columns, column: columns.likely });
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={say('audience.upload')}>
      <Stack gap="sm">
        <Title order={3} size="h5">
          {say('audience.upload')}
        </Title>
        <FileInput
          label={say('audience.file')}
          description={say('audience.file_hint')}
          accept=".csv,.txt,.tsv"
          error={isTooLarge ? say('audience.too_large') : undefined}
          onChange={(file) => void pick(file)}
        />
        <MeaningFields meaning={{ mode, ids }} onMode={setMode} onIds={setIds} />
        {chosen === null || chosen.columns.names.length < 2 ? null : (
          <Select
            label={say('audience.column')}
            data={chosen.columns.names.map((label, at) => ({ value: String(at), label }))}
            value={String(chosen.column)}
            allowDeselect={false}
            onChange={(value) => setChosen({ ...chosen, column: Number(value) })}
          />
        )}
        {lines === null ? null : <Lines lines={lines} />}
        {sending.isPending ? <Progress value={100 * share} aria-label={say('audience.sending')} animated /> : null}
        <ProblemAlert error={sending.error} />
        {sending.data === undefined ? null : (
          <Text component="output" display="block">
            {say('audience.done', { lines: sending.data.lines, changed: sending.data.changed })}
          </Text>
        )}
        <Group>
          <Button
            size="sm"
            disabled={lines === null || lines.ids.length === 0}
            loading={sending.isPending}
            onClick={() => (lines === null ? undefined : sending.mutate(lines))}
          >
            {say(`audience.do_${mode}`, { count: lines?.ids.length ?? 0 })}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

/** What the lines of a file mean: members to add or remove, and what kind of id a member has. */
interface Meaning {
  readonly mode: (typeof UPLOAD_MODES)[number];
  readonly ids: (typeof ID_KINDS)[number];
}

function MeaningFields({
  meaning: { mode, ids },
  onMode,
  onIds,
}: {
  readonly meaning: Meaning;
  onMode: (mode: Meaning['mode']) => void;
  onIds: (ids: Meaning['ids']) => void;
}) {
  return (
    <Group grow>
      <Select
        label={say('audience.mode')}
        data={UPLOAD_MODES.map((value) => ({ value, label: say(`audience.mode_${value}`) }))}
        value={mode}
        allowDeselect={false}
        onChange={(value) => onMode(UPLOAD_MODES.find((one) => one === value) ?? 'ADD')}
      />
      <Select
        label={say('audience.ids')}
        data={ID_KINDS.map((value) => ({ value, label: say(`audience.ids_${value}`) }))}
        value={ids}
        allowDeselect={false}
        onChange={(value) => onIds(ID_KINDS.find((one) => one === value) ?? 'lu')}
      />
    </Group>
  );
}

function Lines({ lines: { ids, refused, refusedCount } }: { readonly lines: MemberLines }) {
  return (
    <>
      <Text size="sm">{say('audience.found', { count: ids.length })}</Text>
      {refusedCount === 0 ? null : (
        <Alert variant="outline" color="yellow" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
          <Text size="sm">{say('audience.refused', { count: refusedCount })}</Text>
          <List size="sm">
            {refused.map(({ line, reason }) => (
              <List.Item key={line}>{say(`audience.refused_${reason}`, { line })}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
}
