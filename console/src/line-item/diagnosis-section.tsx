import { Anchor, Button, Group, List, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type DeliveryChange, type DeliveryDiagnosis, loadDiagnosis } from '../api/bookings/diagnosis.ts';
import { useCanEdit } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { AddCreatives } from './add-creatives.tsx';
import { isApplicable } from '../changes/change-preview.ts';
import { ChangeDialog } from '../changes/later-changes.ts';
import { formatCount, formatPercent } from '../format/desk-format.ts';
import { fieldName } from '../changes/field-words.ts';
import { HourlyReasons } from '../delivery/hourly-reasons.tsx';
import { sayDelivery, sayReason } from '../delivery/say-delivery.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';

const NUMBERS_SHOWN = 6;

/** Why a line item delivers as it does, and the changes that would help; each is made with one button. */
export function DiagnosisSection({
  lineItemId,
  campaignId,
}: {
  readonly lineItemId: string;
  readonly campaignId: string | null;
}) {
  const scope = useDeskScope();
  const [shown, setShown] = useState<DeliveryChange | null>(null);
  const diagnosis = useQuery({
    queryKey: [...deskKey(scope), 'diagnosis', lineItemId],
    queryFn: ({ signal }) => loadDiagnosis(scope, lineItemId, signal),
    staleTime: 30_000,
  });
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="diagnosis-title">
      <Stack gap="sm">
        <Title order={2} size="h3" id="diagnosis-title">
          {say('diagnosis.title')}
        </Title>
        <ProblemAlert error={diagnosis.error} onRetry={() => void diagnosis.refetch()} />
        {diagnosis.isPending ? <Skeleton height={80} /> : null}
        {diagnosis.data === undefined || diagnosis.data === null ? null : (
          <Findings diagnosis={diagnosis.data} campaignId={campaignId} onChoose={setShown} />
        )}
      </Stack>
      {shown === null ? null : <ShownChange change={shown} onClose={() => setShown(null)} />}
    </Paper>
  );
}

function Findings({
  diagnosis,
  campaignId,
  onChoose,
}: {
  readonly diagnosis: DeliveryDiagnosis;
  readonly campaignId: string | null;
  onChoose: (change: DeliveryChange) => void;
}) {
  const { advice, adviceText, hours, byHour, rivals } = diagnosis;
  const context = useCellContext();
  const { changes, changesTogether } = diagnosis;
  const first = changes.slice(0, Math.max(1, changesTogether));
  const others = changes.slice(first.length);
  return (
    <>
      <Text fw={600}>{sayDelivery(diagnosis, context)}</Text>
      {first.length > 1 ? (
        <Title order={3} size="h4">
          {say('diagnosis.together')}
        </Title>
      ) : null}
      {first.length === 0 ? (
        <Text>
          {advice === '' ? say('diagnosis.none') : sayDelivery({ sentence: advice, texts: [adviceText] }, context)}
        </Text>
      ) : (
        first.map((change) => (
          <ChangeLine
            key={`${change.code} ${change.sentence}`}
            change={change}
            hours={hours}
            campaignId={campaignId}
            isFirst
            onChoose={onChoose}
          />
        ))
      )}
      {others.length === 0 ? null : (
        <>
          <Title order={3} size="h4">
            {say('diagnosis.other_changes')}
          </Title>
          {others.map((change) => (
            <ChangeLine
              key={`${change.code} ${change.sentence}`}
              change={change}
              hours={hours}
              campaignId={campaignId}
              onChoose={onChoose}
            />
          ))}
        </>
      )}
      <Rivals rivals={rivals} />
      <Outcomes diagnosis={diagnosis} />
      {byHour.length === 0 ? null : <HourlyReasons byHour={byHour} />}
    </>
  );
}

/** The line items that win instead. */
function Rivals({ rivals }: Pick<DeliveryDiagnosis, 'rivals'>) {
  if (rivals.length === 0) return null;
  return (
    <Text size="sm">
      {`${say('diagnosis.rivals')}: `}
      {rivals.map(({ lineItemId, name, opportunities: count }, at) => (
        <span key={lineItemId}>
          {at === 0 ? '' : ', '}
          <Anchor
            inherit
            underline="always"
            renderRoot={(props) => (
              <Link to="/desk/line-items/$id" params={{ id: lineItemId }} search={{}} {...props} />
            )}
          >
            <bdi>{name}</bdi>
          </Anchor>
          {` (${formatCount(count)})`}
        </span>
      ))}
    </Text>
  );
}

/** The outcomes of the opportunities, most frequent first. */
function Outcomes({ diagnosis: { numbers, opportunities, hours } }: { readonly diagnosis: DeliveryDiagnosis }) {
  if (numbers.length === 0) return null;
  return (
    <details>
      <summary>
        {say('diagnosis.outcomes', { opportunities: formatCount(opportunities), count: opportunities, hours })}
      </summary>
      <List size="sm" mt="xs">
        {numbers.slice(0, NUMBERS_SHOWN).map(({ reason, opportunities: count, percent }) => (
          <List.Item key={reason}>
            {reason === 'won' ? say('diagnosis.won') : sayReason(reason)}
            {`: ${formatCount(count)} (${formatPercent(percent)})`}
          </List.Item>
        ))}
      </List>
    </details>
  );
}

function ChangeLine({
  change,
  hours,
  campaignId,
  isFirst = false,
  onChoose,
}: {
  readonly change: DeliveryChange;
  readonly hours: number;
  readonly campaignId: string | null;
  readonly isFirst?: boolean;
  onChoose: (change: DeliveryChange) => void;
}) {
  const canEdit = useCanEdit();
  const { impressions, missing } = change;
  const sentence = useChangeSentence(change);
  const fields = missing.map((path) => fieldName(path.replace(/^input\./, ''))).join(', ');
  const completion = canEdit ? completionOf(change, campaignId) : null;
  return (
    <Group justify="space-between" gap="sm" wrap="wrap">
      <div style={{ flex: '1 1 14rem' }}>
        <Text>{sentence}</Text>
        {impressions === null || impressions === 0 ? null : (
          <Text size="sm" c="dimmed">
            {say('diagnosis.gain', { count: formatCount(impressions), impressions, hours })}
          </Text>
        )}
        {missing.length === 0 ? null : (
          <Text size="sm" c="dimmed">
            {say(completion === null ? 'diagnosis.missing' : 'diagnosis.missing_here', { fields })}
          </Text>
        )}
      </div>
      {canEdit && isApplicable(change) ? (
        <Button
          size="xs"
          variant={isFirst ? 'filled' : 'default'}
          aria-label={`${say('diagnosis.apply')}: ${sentence}`}
          onClick={() => onChoose(change)}
        >
          {say(isFirst ? 'diagnosis.apply' : 'diagnosis.apply_short')}
        </Button>
      ) : null}
      {completion}
    </Group>
  );
}

/** What a change does, in the person's language. */
function useChangeSentence({ sentence, text }: DeliveryChange): string {
  const context = useCellContext();
  return sayDelivery({ sentence, texts: [text] }, context);
}

/** The way to the page where a person adds what a change lacks; null: the console has none. */
function completionOf({ mutation, variables, missing }: DeliveryChange, campaignId: string | null) {
  if (missing.length === 0) return null;
  if (mutation === 'createCreative' && campaignId !== null) return <AddCreatives campaignId={campaignId} size="xs" />;
  const id = variables?.id;
  if (mutation !== 'updateAdvertiser' || id === undefined) return null;
  return (
    <Button
      size="xs"
      variant="default"
      renderRoot={(props) => <Link to="/desk/advertisers" search={{ open: id }} {...props} />}
    >
      {say('diagnosis.open_advertiser')}
    </Button>
  );
}

function ShownChange({ change, onClose }: { readonly change: DeliveryChange; onClose: () => void }) {
  return <ChangeDialog change={change} sentence={useChangeSentence(change)} onClose={onClose} />;
}
