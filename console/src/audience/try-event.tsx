import { Alert, Button, List, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type ActivityEventInspection, inspectActivityEvent } from '../api/inventory/activity-events.ts';
import { formatMoney } from '../format/desk-format.ts';
import { ObjectLink } from '../tables/column-parts.tsx';
import { useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';
import { Instant } from '../ui/instant.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';

const COLOURS = { ACCEPTED: 'green', DUPLICATE: 'yellow', REFUSED: 'red' } as const;

/** The typed event; null unless it is a JSON object. */
function readEvent(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Tries an event of an activity: what the API would make of it, without counting it. */
export function TryEvent({ actgid }: { readonly actgid: string }) {
  const scope = useDeskScope();
  const [text, setText] = useState(() =>
    JSON.stringify(
      { network: scope.networkId, actgid, event: 'purchased', cost: '49.90', ord: 'test-1', lu: '' },
      null,
      2,
    ),
  );
  const [isFaulty, setIsFaulty] = useState(false);
  const trying = useMutation({ mutationFn: (event: object) => inspectActivityEvent(scope, event) });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = readEvent(text);
    setIsFaulty(body === null);
    if (body === null) trying.reset();
    else trying.mutate(body);
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={say('try_event.title')}>
      <form onSubmit={submit}>
        <Stack gap="sm" align="stretch">
          <Title order={3} size="h5">
            {say('try_event.title')}
          </Title>
          <Textarea
            label={say('try_event.event')}
            description={say('try_event.hint')}
            error={isFaulty ? say('try_event.faulty') : undefined}
            value={text}
            rows={8}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={trying.isPending}>
            {say('action.try')}
          </Button>
          <div aria-live="polite">
            <ProblemAlert error={trying.error} />
            {trying.data === undefined ? null : <Outcome found={trying.data} />}
          </div>
        </Stack>
      </form>
    </Paper>
  );
}

function Outcome({ found }: { readonly found: ActivityEventInspection }) {
  const { outcome, refusal, credit, noCredit, segmentIds } = found;
  const { currency } = useCellContext();
  return (
    <Alert color={COLOURS[outcome]} title={say(`try_event.${outcome}`)}>
      {refusal === null ? null : (
        <List size="sm">
          {refusal.fields.length === 0 ? <List.Item>{refusal.message}</List.Item> : null}
          {refusal.fields.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <b>{path}</b> {message}
            </List.Item>
          ))}
        </List>
      )}
      {credit === null ? null : (
        <Text size="sm">
          {say(`try_event.${credit.kind}`)}{' '}
          {credit.lineItem === null ? null : (
            <ObjectLink to="/desk/line-items/$id" id={credit.lineItem.id} name={credit.lineItem.name} />
          )}
          {', '}
          <Instant at={credit.touchedAt} />. {say('try_event.earned', { amount: formatMoney(credit.earned, currency) })}
        </Text>
      )}
      {noCredit === null ? null : <Text size="sm">{say(`try_event.${noCredit}`)}</Text>}
      {segmentIds.length === 0 ? null : (
        <Text size="sm">{say('try_event.segments', { count: segmentIds.length })}</Text>
      )}
    </Alert>
  );
}
