import { Alert, Table, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type Copies, copyObjects, type CopyVerdict, validateCopies } from '../api/bookings/copies.ts';
import type { BookedKind, BulkRow } from '../api/bookings/desk-list.ts';
import { NumberValueField } from '../format/number-field.tsx';
import { say } from '../messages/say.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { Working } from '../changes/changes-dialog.tsx';
import { addClockDays } from '../format/wall-time.ts';
import { formatCount, formatFlight } from '../format/desk-format.ts';
import { offerUndo } from '../changes/undo.tsx';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';

const USUAL_DAYS = 30;
const SHIFT_DAYS_MAX = 36_500;
const SHOWN = 200;
/** Copies are validated once nobody has typed for so long. */
const TYPING_MS = 400;

type CopiedRow = Pick<BulkRow, 'id' | 'name' | 'startsAt' | 'endsAt'> & Partial<Pick<BulkRow, 'timezone'>>;

interface CopyDialogProps {
  readonly kind: BookedKind;
  readonly rows: readonly CopiedRow[];
  onDone: () => void;
  onClose: () => void;
}

/** Copies line items with their creatives, or campaigns with all that belongs to them, their flights moved by days. The copies are drafts; undo archives them. */
export function CopyDialog({ kind, rows, onDone, onClose }: CopyDialogProps) {
  const [typedDays, setDays] = useState<number | null>(USUAL_DAYS);
  const days = typedDays ?? 0;
  const preview = useCopyPreview(kind, rows, days);
  const valid = rows.filter(({ id }) => (preview.verdicts?.get(id)?.message ?? null) === null);
  const { copying, done, refused } = useCopying({ kind, rows: valid, onDone }, days);
  const count = formatCount(rows.length);
  const isRefused = ({ id }: CopiedRow): boolean => valid.every((one) => one.id !== id);
  const shown = refused === null ? [...rows.filter(isRefused), ...valid] : rows.filter(({ id }) => refused.has(id));
  return (
    <FormDialog
      title={say('copy.title', { count })}
      action={say(refused === null ? 'copy.action' : 'action.done')}
      size="lg"
      submission={refused === null ? copying : { error: null, isPending: false, mutate: onDone }}
      isReady={refused !== null || (typedDays !== null && preview.isReady && valid.length > 0)}
      onClose={refused === null ? onClose : onDone}
    >
      {refused === null ? (
        <NumberValueField
          label={say('copy.days')}
          description={say(kind === 'lineItem' ? 'copy.hint' : 'copy.hint_campaigns')}
          value={typedDays}
          isWhole
          // The server refuses a flight that is too far away, copy by copy.
          min={-SHIFT_DAYS_MAX}
          max={SHIFT_DAYS_MAX}
          onChange={setDays}
          data-autofocus
        />
      ) : (
        <Alert color="orange" variant="outline" role="alert">
          {say('status.applied_some', { count: refused.size })}
        </Alert>
      )}
      {copying.isPending ? <Working done={done} total={valid.length} /> : null}
      {preview.isReady || copying.isPending ? null : <Working done={preview.done} total={rows.length} />}
      <ProblemAlert error={preview.error} />
      {valid.length === rows.length ? null : (
        <Text size="sm" fw={600} component="output">
          {say('bulk.refused', { count: rows.length - valid.length })}
        </Text>
      )}
      <CopyTable rows={shown.slice(0, SHOWN)} days={days} refused={refused} verdicts={preview.verdicts} />
      {shown.length > SHOWN ? (
        <Text size="sm" c="dimmed">
          {say('bulk.more', { count: formatCount(shown.length - SHOWN) })}
        </Text>
      ) : null}
    </FormDialog>
  );
}

type Verdicts = ReadonlyMap<string, CopyVerdict>;

/** What the server says of copies before they are made. */
function useCopyPreview(kind: BookedKind, rows: readonly CopiedRow[], days: number) {
  const scope = useDeskScope();
  const [done, setDone] = useState(0);
  const [shiftDays] = useDebouncedValue(days, TYPING_MS);
  const ids = rows.map(({ id }) => id);
  const preview = useQuery({
    queryKey: ['desk-copy-preview', kind, scope.environment, scope.networkId, ids, shiftDays],
    queryFn: ({ signal }) => {
      setDone(0);
      return validateCopies(scope, kind, ids, { shiftDays, signal, onProgress: setDone });
    },
    staleTime: 0,
    gcTime: 0,
  });
  const verdicts = useMemo(
    () => (preview.data === undefined ? null : new Map(preview.data.map((verdict) => [verdict.id, verdict]))),
    [preview.data],
  );
  const isReady = verdicts !== null && shiftDays === days;
  return { verdicts, isReady, done, error: preview.error };
}

type Refused = ReadonlyMap<string, string>;

function useCopying({ kind, rows, onDone }: Omit<CopyDialogProps, 'onClose'>, days: number) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [done, setDone] = useState(0);
  const [refused, setRefused] = useState<Refused | null>(null);
  const copying = useMutation({
    mutationFn: () => {
      const ids = rows.map(({ id }) => id);
      return copyObjects(scope, kind, ids, { shiftDays: days, onProgress: setDone });
    },
    onMutate: () => setDone(0),
    onSuccess: async (copies: Copies) => {
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      const updates = copies.made.map((copy) => ({ ...copy, input: { status: 'ARCHIVED' } }));
      const text = say('copy.done', { count: formatCount(updates.length) });
      if (updates.length > 0) offerUndo(client, { scope, kind, text, updates });
      if (copies.refused.length > 0) return setRefused(new Map(copies.refused.map(({ id, message }) => [id, message])));
      onDone();
      const [only] = copies.made;
      if (rows.length === 1 && only !== undefined) {
        const to = kind === 'lineItem' ? '/desk/line-items/$id' : '/desk/campaigns/$id';
        void navigate({ to, params: { id: only.id }, search: {} });
      }
    },
  });
  return { copying, done, refused };
}

/** Each flight with that of its copy; of those that were refused, why. */
function CopyTable({
  rows,
  days,
  refused,
  verdicts,
}: {
  readonly rows: readonly CopiedRow[];
  readonly days: number;
  readonly refused: Refused | null;
  /** Null: there are none yet. */
  readonly verdicts: Verdicts | null;
}) {
  const { timezone, nowMs } = useCellContext();
  const moved = (iso: string | null, own: string | null | undefined): string | null =>
    iso === null ? null : addClockDays(iso, days, own ?? timezone ?? 'UTC');
  return (
    <Table.ScrollContainer minWidth={280} mah="40vh" type="native" tabIndex={0}>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{say('desk_column.name')}</Table.Th>
            <Table.Th scope="col">{say(refused === null ? 'desk_column.dates' : 'status.remark')}</Table.Th>
            {refused === null && verdicts !== null ? <Table.Th scope="col">{say('status.remark')}</Table.Th> : null}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ id, name, startsAt, endsAt, timezone: zone }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <bdi>{name}</bdi>
              </Table.Td>
              {refused === null ? (
                <Table.Td>
                  {formatFlight({ startsAt, endsAt }, timezone, nowMs)} →{' '}
                  <span className="diff-after">
                    {formatFlight({ startsAt: moved(startsAt, zone), endsAt: moved(endsAt, zone) }, timezone, nowMs)}
                  </span>
                </Table.Td>
              ) : (
                <Table.Td>{refused.get(id)}</Table.Td>
              )}
              {refused === null && verdicts !== null ? <Table.Td>{remarkOn(verdicts.get(id))}</Table.Td> : null}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Why a copy is refused, or what comes with it. */
function remarkOn(verdict: CopyVerdict | undefined): string | null {
  if (verdict === undefined) return null;
  const { message, lineItemCount, creativeCount } = verdict;
  return message ?? say('copy.contents', { items: lineItemCount, creatives: creativeCount });
}
