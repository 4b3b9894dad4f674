import { Button, Group, Paper, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { type BulkRow, type Campaign, type LineItem, loadBulkRows, type WindowRequest } from '../api/desk-list.ts';
import type { BookedKind } from '../api/desk-object.ts';
import { describeProblem } from '../api/problem.ts';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import {
  type BulkContext,
  type BulkPlan,
  canAct,
  type EditedRow,
  planStatus,
  STATUS_ACTIONS,
  type StatusAction,
  type StatusTarget,
  verbOf,
} from './bulk-plan.ts';
import { BulkEditDialog, ChangesDialog, CopyDialog } from './later-parts.ts';
import { formatCount } from './desk-format.ts';
import { useCellContext, useDeskScope } from './use-desk-list.ts';

/** The rows that a person has chosen: some, or all that match. */
export interface Chosen {
  readonly ids: ReadonlySet<string>;
  readonly isAll: boolean;
}

/** The most line items of one change. */
const ALL_MAX = 10_000;
const IDS_A_REQUEST = 100;

type Step<Row> =
  | { readonly kind: 'plan'; readonly plan: BulkPlan }
  | { readonly kind: 'edit' | 'copy'; readonly rows: readonly Row[] };

/** What can be done with the chosen line items; their rows are read when something is to be done. */
export function LineItemBulkBar({
  chosen,
  loaded,
  request,
  total,
  onChoose,
}: {
  readonly chosen: Chosen;
  readonly loaded: readonly LineItem[];
  readonly request: Pick<WindowRequest, 'tab' | 'filter'>;
  readonly total: number;
  onChoose: (chosen: Chosen) => void;
}) {
  const context = useCellContext();
  const scope = useDeskScope();
  const [step, setStep] = useState<Step<BulkRow> | null>(null);
  const [reading, setReading] = useState<number | null>(null);
  const seen = new Map(loaded.filter(({ id }) => chosen.ids.has(id)).map((row) => [row.id, row]));
  const isSeen = !chosen.isAll && seen.size === chosen.ids.size;
  const count = chosen.isAll ? total : chosen.ids.size;
  const clear = (): void => onChoose({ ids: new Set(), isAll: false });
  const close = (): void => setStep(null);
  const done = (): void => {
    close();
    clear();
  };
  const begin = async (next: (rows: readonly BulkRow[]) => Step<BulkRow>): Promise<void> => {
    setReading(0);
    try {
      setStep(
        next(
          await readChosen(chosen, {
            seen,
            load: (one, max) => loadBulkRows(scope, one, { max, onProgress: setReading }),
            request,
          }),
        ),
      );
    } catch (error) {
      notifications.show({ color: 'red', message: describeProblem(error) });
    }
    setReading(null);
  };
  const isBusy = reading !== null;
  return (
    <Bar count={count}>
      {chosen.isAll || total <= chosen.ids.size ? null : (
        <Button size="xs" variant="subtle" onClick={() => onChoose({ ...chosen, isAll: true })}>
          {say('bulk.all', { total: formatCount(Math.min(total, ALL_MAX)) })}
        </Button>
      )}
      {STATUS_ACTIONS.filter((action) => action === 'archive' || !isSeen || canAct(action, [...seen.values()])).map(
        (action) => (
          <ActionButton
            key={action}
            action={action}
            isBusy={isBusy}
            onClick={() => void begin((rows) => ({ kind: 'plan', plan: planStatus(action, rows) }))}
          />
        ),
      )}
      <Button
        size="xs"
        variant="default"
        disabled={isBusy}
        onClick={() => void begin((rows) => ({ kind: 'edit', rows }))}
      >
        {say('bulk.edit')}
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={isBusy}
        onClick={() => void begin((rows) => ({ kind: 'copy', rows }))}
      >
        {say('bulk.copy')}
      </Button>
      <Button size="xs" variant="subtle" onClick={clear}>
        {say('desk.unselect')}
      </Button>
      {reading === null || reading === 0 ? null : (
        <Text size="sm" c="dimmed" component="output">
          {say('csv.reading', { count: formatCount(reading) })}
        </Text>
      )}
      {step === null ? null : (
        <StepDialog kind="lineItem" step={step} context={context} onStep={setStep} onDone={done} onClose={close} />
      )}
    </Bar>
  );
}

async function readChosen(
  { ids, isAll }: Chosen,
  {
    seen,
    load,
    request,
  }: {
    readonly seen: ReadonlyMap<string, BulkRow>;
    readonly load: (request: Pick<WindowRequest, 'tab' | 'filter'>, max: number) => Promise<readonly BulkRow[]>;
    readonly request: Pick<WindowRequest, 'tab' | 'filter'>;
  },
): Promise<readonly BulkRow[]> {
  if (isAll) return load(request, ALL_MAX);
  const rows: BulkRow[] = [...ids].flatMap((id) => seen.get(id) ?? []);
  const missing = [...ids].filter((id) => !seen.has(id));
  for (let at = 0; at < missing.length; at += IDS_A_REQUEST)
    rows.push(
      ...((await load(
        { tab: null, filter: { ids: missing.slice(at, at + IDS_A_REQUEST) } },
        IDS_A_REQUEST,
      )) as LineItem[]),
    );
  return rows;
}

/** What can be done with the chosen campaigns. */
export function CampaignBulkBar({
  selected,
  onClear,
}: {
  readonly selected: readonly Campaign[];
  onClear: () => void;
}) {
  const context = useCellContext();
  const [step, setStep] = useState<Step<Campaign> | null>(null);
  const close = (): void => setStep(null);
  const done = (): void => {
    close();
    onClear();
  };
  return (
    <Bar count={selected.length}>
      <StatusButtons targets={selected} onPlan={(plan) => setStep({ kind: 'plan', plan })} />
      <Button size="xs" variant="default" onClick={() => setStep({ kind: 'edit', rows: selected })}>
        {say('bulk.edit')}
      </Button>
      <Button size="xs" variant="default" onClick={() => setStep({ kind: 'copy', rows: selected })}>
        {say('bulk.copy')}
      </Button>
      <Button size="xs" variant="subtle" onClick={onClear}>
        {say('desk.unselect')}
      </Button>
      {step === null ? null : (
        <StepDialog kind="campaign" step={step} context={context} onStep={setStep} onDone={done} onClose={close} />
      )}
    </Bar>
  );
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

const ICONS = { pause: 'pause', resume: 'play', archive: 'floor' } as const;

function ActionButton({
  action,
  isBusy,
  onClick,
}: {
  readonly action: StatusAction;
  readonly isBusy: boolean;
  onClick: () => void;
}) {
  return (
    <Button
      size="xs"
      variant="default"
      disabled={isBusy}
      leftSection={<Icon name={ICONS[action]} size={14} />}
      onClick={onClick}
    >
      {verbOf(action)}
    </Button>
  );
}

/** The changes of status that do something to the objects. */
export function StatusButtons({
  targets,
  onPlan,
}: {
  readonly targets: readonly StatusTarget[];
  onPlan: (plan: BulkPlan) => void;
}) {
  return STATUS_ACTIONS.filter((action) => canAct(action, targets)).map((action) => (
    <ActionButton key={action} action={action} isBusy={false} onClick={() => onPlan(planStatus(action, targets))} />
  ));
}
