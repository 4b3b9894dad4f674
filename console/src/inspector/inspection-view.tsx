import {
  Alert,
  Code,
  Group,
  List,
  Paper,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useState } from 'react';
import { dateFormat } from '../format/intl-formats.ts';
import type { InspectedChange, InspectedDecision, Inspection } from '../api/bookings/inspection.ts';
import { formatMoney } from '../format/desk-format.ts';
import { sayDelivery, sayRemarks } from '../delivery/say-delivery.ts';
import { useCellContext } from '../session/desk-scope.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { DecisionColumn } from './decision-column.tsx';
import { LineItemLink } from './line-item-link.tsx';
import { type InspectorState, WHAT_IFS_MAX } from './inspector-state.ts';
import { LoserLadder } from './loser-ladder.tsx';
import { RequestFacts } from './request-facts.tsx';
import { type Subject, WhatIfEditor } from './what-if-editor.tsx';

const VIEWS = ['logged', 'present', 'imagined'] as const;
type View = (typeof VIEWS)[number];

interface InspectionViewProps {
  readonly inspection: Inspection;
  readonly state: InspectorState;
  readonly isBusy: boolean;
  change: (next: Partial<InspectorState>) => void;
}

/** The decisions side by side, what was imagined, and why the losers lost. */
export function InspectionView({ inspection, state, isBusy, change }: InspectionViewProps) {
  const { logged, present, imagined, changes } = inspection;
  const notes = sayRemarks(inspection, useCellContext());
  const views = VIEWS.filter((view) => inspection[view] !== null);
  return (
    <Stack gap="md">
      {notes.length === 0 ? null : (
        <Alert variant="outline" color="gray" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
          {notes.map((note) => (
            <Text key={note} size="sm">
              {note}
            </Text>
          ))}
        </Alert>
      )}
      {inspection.ad === null ? null : <AdFacts ad={inspection.ad} />}
      <SimpleGrid cols={{ base: 1, sm: views.length }} spacing="sm">
        {logged === null ? null : (
          <DecisionColumn title={say('inspector.logged')} decision={logged}>
            <ReplayNote decision={logged} />
          </DecisionColumn>
        )}
        <DecisionColumn title={say('inspector.present')} decision={present} />
        {imagined === null ? null : (
          <DecisionColumn title={say('inspector.imagined')} decision={imagined}>
            <Changes changes={changes} />
          </DecisionColumn>
        )}
      </SimpleGrid>
      <WhatIfEditor
        key={JSON.stringify(state.whatIfs)}
        whatIfs={state.whatIfs}
        subjects={subjectsOf(inspection)}
        isBusy={isBusy}
        change={(whatIfs) => change({ whatIfs })}
      />
      <Reasons inspection={inspection} views={views} state={state} change={change} />
      <RequestFacts inspection={inspection} />
    </Stack>
  );
}

function AdFacts({ ad }: { readonly ad: NonNullable<Inspection['ad']> }) {
  const { currency } = useCellContext();
  const instant = dateFormat(currentLocale(), { dateStyle: 'medium', timeStyle: 'medium' });
  return (
    <Paper withBorder p="md" component="section" aria-label={say('inspector.ad')}>
      <Text fw={600}>
        {`${say('inspector.ad')}: `}
        <LineItemLink id={ad.lineItemId} name={ad.lineItemName} />
      </Text>
      <Text size="sm">
        {say('inspector.ad_facts', {
          size: ad.size,
          instant: instant.format(new Date(ad.decidedAt)),
          price: formatMoney(ad.price, currency),
        })}
      </Text>
    </Paper>
  );
}

function ReplayNote({ decision }: { readonly decision: InspectedDecision }) {
  const { isSame, differences, assumedValues } = decision;
  return (
    <>
      <Text size="sm">
        {isSame === true
          ? say('inspector.logged_same')
          : say('inspector.differs', { differences: differences.join('; ') })}
      </Text>
      {assumedValues === 0 ? null : (
        <Text size="sm" c="dimmed">
          {say('inspector.assumed', { count: assumedValues })}
        </Text>
      )}
    </>
  );
}

function Changes({ changes }: { readonly changes: readonly InspectedChange[] }) {
  if (changes.length === 0) return <Text size="sm">{say('inspector.changes_none')}</Text>;
  return (
    <div>
      <Text size="sm" fw={600}>
        {say('inspector.changes')}
      </Text>
      <List size="sm">
        {changes.map(({ slotId, lineItemId, name, before, after }) => (
          <List.Item key={`${slotId} ${lineItemId}`}>
            <bdi>{name}</bdi>
            {': '}
            <Code>{before}</Code>
            {' → '}
            <Code>{after}</Code>
          </List.Item>
        ))}
      </List>
    </div>
  );
}

function Reasons({
  inspection,
  views,
  state,
  change,
}: Omit<InspectionViewProps, 'isBusy'> & { readonly views: readonly View[] }) {
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen !== null && views.includes(chosen) ? chosen : (views[0] ?? 'present');
  const decision = inspection[view] ?? inspection.present;
  const lineItems = subjectsOf(inspection).filter(({ isAdUnit }) => !isAdUnit);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="ladder-title">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-end" gap="sm">
          <div>
            <Title order={2} size="h4" id="ladder-title">
              {say('inspector.ladder')}
            </Title>
            <Text size="sm" c="dimmed">
              {say('inspector.ladder_lead')}
            </Text>
          </div>
          <Select
            size="xs"
            label={say('inspector.as')}
            placeholder={say('value.any')}
            data={lineItems.map(({ id, name }) => ({ value: id, label: name === '' ? id : name }))}
            value={state.lineItem === '' ? null : state.lineItem}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': say('action.clear') }}
            limit={50}
            onChange={(id) => change({ lineItem: id ?? '' })}
          />
        </Group>
        {views.length < 2 ? null : (
          <SegmentedControl
            aria-label={say('inspector.ladder_of')}
            data={views.map((value) => ({ value, label: say(`inspector.${value}`) }))}
            value={view}
            onChange={(value) => setChosen(value as View)}
          />
        )}
        <OwnOutcome decision={decision} lineItem={state.lineItem} />
        {decision.slots.map((slot) => (
          <div key={slot.slotId}>
            {decision.slots.length < 2 ? null : <Text fw={600}>{say('inspector.slot', { id: slot.slotId })}</Text>}
            <LoserLadder
              slot={slot}
              lineItem={state.lineItem}
              imagine={(whatIf) => change({ whatIfs: [...state.whatIfs, whatIf].slice(-WHAT_IFS_MAX) })}
            />
          </div>
        ))}
      </Stack>
    </Paper>
  );
}

/** The outcome of the line item that stands out, in a sentence for each slot. */
function OwnOutcome({ decision, lineItem }: { readonly decision: InspectedDecision; readonly lineItem: string }) {
  const context = useCellContext();
  if (lineItem === '') return null;
  const lines = decision.slots.flatMap(({ slotId, winner, losers }) => {
    if (winner?.lineItemId === lineItem) return [{ slotId, text: say('inspector.as_won', { name: winner.name }) }];
    const own = losers.find((one) => one.lineItemId === lineItem);
    return own === undefined
      ? []
      : [{ slotId, text: `${say('inspector.as_lost', { name: own.name })} ${sayDelivery(own, context)}` }];
  });
  return (
    <Stack gap={4}>
      {lines.map(({ slotId, text }) => (
        <Text key={slotId} fw={600} component="output" display="block">
          {text}
        </Text>
      ))}
    </Stack>
  );
}

/** The line items and ad units of an inspection, each once. */
function subjectsOf({ logged, present, request }: Inspection): readonly Subject[] {
  const found = new Map<string, Subject>();
  for (const decision of [logged, present]) {
    for (const { winner, losers } of decision?.slots ?? []) {
      for (const one of winner === null ? losers : [winner, ...losers])
        found.set(`li ${one.lineItemId}`, { id: one.lineItemId, name: one.name, isAdUnit: false });
    }
  }
  for (const { adUnitId, slotId } of request.slots)
    if (adUnitId !== null)
      found.set(`au ${adUnitId}`, { id: adUnitId, name: say('inspector.slot', { id: slotId }), isAdUnit: true });
  return [...found.values()];
}
