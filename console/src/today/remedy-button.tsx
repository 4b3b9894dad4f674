import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { DeliveryChange } from '../api/bookings/diagnosis.ts';
import { type BulkPlan, planEdit, planStatus } from '../changes/bulk-plan.ts';
import { ChangeDialog, ChangesDialog } from '../changes/later-changes.ts';
import { sayDelivery } from '../delivery/say-delivery.ts';
import { say } from '../messages/say.ts';
import { useCellContext } from '../session/desk-scope.ts';
import { useCanEdit } from '../session/session.ts';
import type { AttentionEntry, Remedy } from './attention.ts';

const EXTEND_DAYS = 7;

/** The one button that mends the cause of an entry; for viewers, and where nothing is known to help, it opens the line item. */
export function RemedyButton({
  entry,
  remedy: known,
  isReady,
}: {
  readonly entry: AttentionEntry;
  readonly remedy: Remedy;
  /** Until the diagnosis is there, the button waits. */
  readonly isReady: boolean;
}) {
  const context = useCellContext();
  const canEdit = useCanEdit();
  const [change, setChange] = useState<DeliveryChange | null>(null);
  const [plan, setPlan] = useState<BulkPlan | null>(null);
  const { item } = entry;
  const remedy: Remedy = canEdit ? known : { kind: 'open' };
  const sentence =
    remedy.kind === 'change'
      ? sayDelivery({ sentence: remedy.change.sentence, texts: [remedy.change.text] }, context)
      : say(`attention.action_${remedy.kind}`);
  const act = (): void => {
    if (remedy.kind === 'change') setChange(remedy.change);
    else if (remedy.kind === 'extend')
      setPlan(planEdit({ field: 'end', change: { days: EXTEND_DAYS } }, [item], context));
    else if (remedy.kind === 'resume') setPlan(planStatus('resume', [item]));
  };
  const close = (): void => setPlan(null);
  const text = say(`attention.action_${remedy.kind}`);
  const look = { size: 'xs', variant: remedy.kind === 'open' ? 'default' : 'light' } as const;
  const label = { 'aria-label': `${sentence} ${item.name}`, title: sentence };
  const link = linkOf(remedy, entry);
  if (link !== null)
    return (
      <Button {...look} {...label} renderRoot={link}>
        {text}
      </Button>
    );
  return (
    <>
      <Button {...look} {...label} loading={!isReady} onClick={act}>
        {text}
      </Button>
      {change === null ? null : <ChangeDialog change={change} sentence={sentence} onClose={() => setChange(null)} />}
      {plan === null ? null : <ChangesDialog kind="lineItem" plan={plan} onDone={close} onClose={close} />}
    </>
  );
}

/** The page on which a remedy is carried out; null: a dialog does it. */
function linkOf(remedy: Remedy, { item }: AttentionEntry) {
  switch (remedy.kind) {
    case 'open':
      return (props: object) => <Link to="/desk/line-items/$id" params={{ id: item.id }} search={{}} {...props} />;
    case 'review':
      return (props: object) => <Link to="/desk/review" search={{ line_item: item.id }} {...props} />;
    case 'creatives':
      return (props: object) => (
        <Link to="/desk/campaigns/$id/creatives" params={{ id: remedy.campaignId }} search={{}} {...props} />
      );
    case 'advertiser':
      return (props: object) => <Link to="/desk/advertisers" search={{ open: remedy.advertiserId }} {...props} />;
    default:
      return null;
  }
}
