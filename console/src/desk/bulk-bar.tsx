import { Button, Group, Paper, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { type BulkCampaign, type BulkReadOptions, loadBulkCampaigns } from '../api/bookings/bulk-rows.ts';
import {
  type BookedKind,
  type BulkRow,
  type Campaign,
  type LineItem,
  type ListFilter,
  loadBulkRows,
  type WindowRequest,
} from '../api/bookings/desk-list.ts';
import { describeProblem } from '../api/transport/problem.ts';
import { say } from '../messages/say.ts';
import {
  type BulkContext,
  type BulkPlan,
  canAct,
  type EditedRow,
  planStatus,
  STATUS_ACTIONS,
  type StatusTarget,
} from '../changes/bulk-plan.ts';
import { type Chosen, countChosen, NONE_CHOSEN, readChosen } from '../tables/chosen.ts';
import { Reading, SelectAll } from '../tables/chosen-parts.tsx';
import { CopyDialog } from '../line-item/later-dialogs.ts';
import { ChangesDialog } from '../changes/later-changes.ts';
import { formatCount } from '../format/desk-format.ts';
import { useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { later } from '../ui/later.tsx';
import { ActionButton } from '../changes/status-buttons.tsx';

type Step<Row> =
  | { readonly kind: 'plan'; readonly plan: BulkPlan }
  | { readonly kind: 'edit' | 'copy'; readonly rows: readonly Row[] };

interface BulkBarProps<Row> {
  readonly chosen: Chosen;
  readonly loaded: readonly Row[];
  readonly total: number;
  onChoose: (chosen: Chosen) => void;
}

/** What can be done with the chosen line items. */
export function LineItemBulkBar({
  request,
  ...bar
}: BulkBarProps<LineItem> & { readonly request: Pick<WindowRequest, 'tab' | 'filter'> }) {
  const scope = useDeskScope();
  return (
    <BookedBulkBar<BulkRow>
      {...bar}
      kind="lineItem"
      loadAll={(options) => loadBulkRows(scope, request, options)}
      loadIds={(ids, options) => loadBulkRows(scope, { tab: null, filter: { ids } }, options)}
    />
  );
}

/** What can be done with the chosen campaigns. */
export function CampaignBulkBar({ filter, ...bar }: BulkBarProps<Campaign> & { readonly filter: ListFilter }) {
  const scope = useDeskScope();
  return (
    <BookedBulkBar<BulkCampaign>
      {...bar}
      kind="campaign"
      loadAll={(options) => loadBulkCampaigns(scope, filter, options)}
      loadIds={(ids, options) => loadBulkCampaigns(scope, { campaignIds: ids }, options)}
    />
  );
}

/** What can be done with the chosen objects; their rows are read when something is to be done. */
function BookedBulkBar<Row extends EditedRow & StatusTarget & Pick<BulkRow, 'startsAt'>>({
  kind,
  chosen,
  loaded,
  total,
  loadAll,
  loadIds,
  onChoose,
}: BulkBarProps<Row> & {
  readonly kind: BookedKind;
  loadAll: (options: BulkReadOptions) => Promise<readonly Row[]>;
  loadIds: (ids: readonly string[], options: BulkReadOptions) => Promise<readonly Row[]>;
}) {
  const context = useCellContext();
  const [step, setStep] = useState<Step<Row> | null>(null);
  const [reading, setReading] = useState<number | null>(null);
  const seen = loaded.filter(({ id }) => chosen.ids.has(id));
  const isSeen = !chosen.isAll && seen.length === chosen.ids.size;
  const clear = (): void => onChoose(NONE_CHOSEN);
  const close = (): void => setStep(null);
  const done = (): void => {
    close();
    clear();
  };
  const begin = async (next: (rows: readonly Row[]) => Step<Row>): Promise<void> => {
    setReading(0);
    try {
      const rows = await readChosen(chosen, {
        loaded,
        loadAll: (max) => loadAll({ max, onProgress: setReading }),
        loadIds: (ids) => loadIds(ids, { max: ids.length }),
      });
      setStep(next(rows));
    } catch (error) {
      notifications.show({ color: 'red', message: describeProblem(error) });
    }
    setReading(null);
  };
  const isBusy = reading !== null;
  return (
    <Bar count={countChosen(chosen, total)}>
      <SelectAll chosen={chosen} total={total} onChoose={onChoose} />
      {STATUS_ACTIONS.filter((action) => action === 'archive' || !isSeen || canAct(action, seen)).map((action) => (
        <ActionButton
          key={action}
          action={action}
          isBusy={isBusy}
          onClick={() => void begin((rows) => ({ kind: 'plan', plan: planStatus(action, rows) }))}
        />
      ))}
      <StepButtons isDisabled={isBusy} onStep={(one) => void begin((rows) => ({ kind: one, rows }))} />
      <Button size="xs" variant="subtle" onClick={clear}>
        {say('desk.unselect')}
      </Button>
      <Reading count={reading} />
      {step === null ? null : (
        <StepDialog kind={kind} step={step} context={context} onStep={setStep} onDone={done} onClose={close} />
      )}
    </Bar>
  );
}

function StepButtons({
  isDisabled,
  onStep,
}: {
  readonly isDisabled: boolean;
  onStep: (step: keyof typeof STEP_TEXTS) => void;
}) {
  return (['edit', 'copy'] as const).map((one) => (
    <Button key={one} size="xs" variant="default" disabled={isDisabled} onClick={() => onStep(one)}>
      {say(STEP_TEXTS[one])}
    </Button>
  ));
}

/** The dialog of a step: what to edit, what to copy, or the preview. */
function StepDialog<Row extends EditedRow & Pick<BulkRow, 'startsAt'>>({
  kind,
  step,
  context,
  onStep,
  onDone,
  onClose,
}: {
  readonly kind: BookedKind;
  readonly step: Step<Row>;
  readonly context: BulkContext;
  onStep: (step: Step<Row>) => void;
  onDone: () => void;
  onClose: () => void;
}) {
  if (step.kind === 'plan') return <ChangesDialog kind={kind} plan={step.plan} onDone={onDone} onClose={onClose} />;
  if (step.kind === 'copy') return <CopyDialog kind={kind} rows={step.rows} onDone={onDone} onClose={onClose} />;
  return (
    <BulkEditDialog
      kind={kind}
      rows={step.rows}
      context={context}
      onPlan={(plan) => onStep({ kind: 'plan', plan })}
      onClose={onClose}
    />
  );
}

function Bar({ count, children }: { readonly count: number; readonly children: ReactNode }) {
  const text = say('desk.selected', { count: formatCount(count) });
  return (
    <Paper withBorder shadow="md" p="xs" className="desk-bulk" component="section" aria-label={text}>
      <Group gap="xs">
        <Text fw={600} component="output">
          {text}
        </Text>
        {children}
      </Group>
    </Paper>
  );
}

const STEP_TEXTS = { edit: 'bulk.edit', copy: 'bulk.copy' } as const;

/** Dialogs and panels of the desk: most visits to a table open none of them. */
export const BulkEditDialog = later(
  async () => (await import('./bulk-edit-dialog.tsx')).BulkEditDialog,
  ['desk', 'desk-table', 'booking', 'delivery'],
);
