import { Badge, Button, Code, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import type { InspectedLoser, InspectedSlot } from '../api/bookings/inspection.ts';
import { sayDelivery } from '../delivery/say-delivery.ts';
import { useCellContext } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';
import { LineItemLink } from './line-item-link.tsx';
import type { WhatIf } from './inspector-state.ts';
import { groupByStage, type Stage } from './loser-stages.ts';
import { suggestFor } from './what-if-defaults.ts';

/** Rows of a stage before "show more". */
const SHOWN = 25;

interface LadderProps {
  readonly slot: InspectedSlot;
  /** The line item whose row stands out; empty = none. */
  readonly lineItem: string;
  imagine: (whatIf: WhatIf) => void;
}

/** Why each loser of a slot lost, those that came furthest first. */
export function LoserLadder({ slot, lineItem, imagine }: LadderProps) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const losers = slot.losers.filter(
    ({ lineItemId, name }) => wanted === '' || lineItemId === wanted || name.toLowerCase().includes(wanted),
  );
  const groups = groupByStage(losers);
  return (
    <Stack gap="sm">
      {slot.losers.length > SHOWN / 5 ? (
        <TextInput
          label={say('inspector.filter')}
          size="xs"
          maw="20rem"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      ) : null}
      {slot.losers.length === 0 ? <Text>{say('inspector.none_lost')}</Text> : null}
      {slot.losers.length > 0 && losers.length === 0 ? <Text>{say('inspector.match_none')}</Text> : null}
      {groups.map((group) => (
        <StageRows key={group.stage} {...group} slot={slot} lineItem={lineItem} imagine={imagine} />
      ))}
      {slot.furtherLosers === 0 ? null : (
        <Text size="sm" c="dimmed">
          {say('inspector.further', { count: slot.furtherLosers })}
        </Text>
      )}
    </Stack>
  );
}

function StageRows({
  stage,
  losers,
  slot,
  lineItem,
  imagine,
}: LadderProps & { readonly stage: Stage; readonly losers: readonly InspectedLoser[] }) {
  const [isWhole, setIsWhole] = useState(false);
  // The one that stands out is never hidden.
  const sorted = losers.toSorted(
    (one, other) => Number(other.lineItemId === lineItem) - Number(one.lineItemId === lineItem),
  );
  const shown = isWhole ? sorted : sorted.slice(0, SHOWN);
  const title = say(`stage.${stage}`);
  return (
    <section aria-label={title}>
      <Group gap="xs" mb={4}>
        <Title order={3} size="h5">
          {title}
        </Title>
        <Badge variant="default" size="sm">
          {losers.length}
        </Badge>
      </Group>
      <Table verticalSpacing={6} layout="fixed">
        <Table.Tbody>
          {shown.map((loser) => (
            <LoserRow key={loser.lineItemId} loser={loser} slot={slot} lineItem={lineItem} imagine={imagine} />
          ))}
        </Table.Tbody>
      </Table>
      {shown.length === losers.length ? null : (
        <Button size="xs" variant="subtle" onClick={() => setIsWhole(true)}>
          {say('inspector.show_all', { count: losers.length - shown.length })}
        </Button>
      )}
    </section>
  );
}

function LoserRow({ loser, slot, lineItem, imagine }: LadderProps & { readonly loser: InspectedLoser }) {
  const { lineItemId, name, reason, goalBid } = loser;
  const context = useCellContext();
  const isOwn = lineItemId === lineItem;
  const suggestion = suggestFor(loser, slot);
  return (
    <Table.Tr {...(isOwn ? { 'aria-current': 'true' as const, bg: 'var(--mantine-primary-color-light)' } : {})}>
      <Table.Th scope="row" w="32%" fw={isOwn ? 700 : 500} style={{ overflowWrap: 'anywhere' }}>
        <LineItemLink id={lineItemId} name={name} />
      </Table.Th>
      <Table.Td>
        <Text size="sm">{sayDelivery(loser, context)}</Text>
        <Group gap="xs">
          <Code style={{ overflow: 'visible', overflowWrap: 'anywhere', whiteSpace: 'normal' }}>{reason}</Code>
          {goalBid === null ? null : (
            <Text size="xs" c="dimmed">
              {say('inspector.goalBid', { amount: goalBid })}
            </Text>
          )}
        </Group>
      </Table.Td>
      <Table.Td ta="right" w="6.5rem">
        {suggestion === null ? null : (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={say('inspector.what_if_of', { name })}
            onClick={() => imagine(suggestion)}
          >
            {say('inspector.what_if')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
