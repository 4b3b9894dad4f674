import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { InspectedDecision, InspectedSlot } from '../api/bookings/inspection.ts';
import { formatMoney, formatPercent } from '../format/desk-format.ts';
import { useCellContext } from '../session/desk-scope.ts';
import { isMessageKey, say } from '../messages/say.ts';
import { Instant } from '../ui/instant.tsx';
import { LineItemLink } from './line-item-link.tsx';

/** One decision beside others: who wins each slot. */
export function DecisionColumn({
  title,
  decision,
  children,
}: {
  readonly title: string;
  readonly decision: InspectedDecision;
  readonly children?: ReactNode;
}) {
  const { slots, at, noFill, arm } = decision;
  const reason = `no_fill.${noFill ?? ''}`;
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="xs">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            <Instant at={at} />
          </Text>
        </div>
        {arm === null ? null : (
          <Text size="sm">{say(arm.arm === 'REST' ? 'inspector.arm_REST' : `inspector.arm_${arm.rule}`)}</Text>
        )}
        {noFill === null ? null : <Text>{isMessageKey(reason) ? say(reason) : noFill}</Text>}
        {slots.map((slot) => (
          <SlotWinner key={slot.slotId} slot={slot} decision={decision} isNamed={slots.length > 1} />
        ))}
        {children}
      </Stack>
    </Paper>
  );
}

function SlotWinner({
  slot: { slotId, winner },
  decision,
  isNamed,
}: {
  readonly slot: InspectedSlot;
  readonly decision: InspectedDecision;
  readonly isNamed: boolean;
}) {
  const { currency } = useCellContext();
  const chances = decision.chances.filter((one) => one.slotId === slotId);
  const own = chances.find(({ lineItemId }) => lineItemId === winner?.lineItemId);
  return (
    <div>
      <Text size="sm" c="dimmed">
        {isNamed ? say('inspector.slot', { id: slotId }) : say('inspector.winner')}
      </Text>
      {winner === null ? (
        <Text fw={600}>{say('inspector.no_winner')}</Text>
      ) : (
        <>
          <Text fw={600}>
            <LineItemLink id={winner.lineItemId} name={winner.name} />
          </Text>
          <Text size="sm">{say('inspector.won_at', { price: formatMoney(winner.bid, currency) })}</Text>
        </>
      )}
      {own === undefined ? null : (
        <Text size="sm">{say('inspector.chance', { percent: formatPercent(own.percent) })}</Text>
      )}
      {chances.length < 2 ? null : (
        <details>
          <summary>{say('inspector.chances')}</summary>
          {chances.map(({ lineItemId, name, percent }) => (
            <Text key={lineItemId} size="sm">
              <bdi>{name}</bdi>
              {`: ${formatPercent(percent)}`}
            </Text>
          ))}
        </details>
      )}
    </div>
  );
}
