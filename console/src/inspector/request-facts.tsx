import { Code, Paper, Stack, Table, Title } from '@mantine/core';
import type { InspectedKeyValue, Inspection } from '../api/bookings/inspection.ts';
import { say } from '../messages/say.ts';

const textsOf = (keyValues: readonly InspectedKeyValue[]): string[] =>
  keyValues.map(({ key, values }) => `${key}=${values.join('|')}`);

/** What counts for a slot beside the key-values of the page, or instead of them. */
function ownKeyValues(ofSlot: readonly InspectedKeyValue[], ofPage: readonly InspectedKeyValue[]): string[] {
  const page = new Set(textsOf(ofPage));
  return textsOf(ofSlot).filter((text) => !page.has(text));
}

/** What the request said, and the bid request that it was. */
export function RequestFacts({ inspection: { request, bidRequest } }: { readonly inspection: Inspection }) {
  const facts: readonly (readonly [string, string])[] = [
    [say('inspector.country'), request.country],
    [say('inspector.device'), [request.deviceType, request.os, request.browser].filter((one) => one !== '').join(', ')],
    [say('inspector.key_values'), textsOf(request.keyValues).join(', ')],
    ...request.slots.flatMap(({ slotId, keyValues }) => {
      const own = ownKeyValues(keyValues, request.keyValues);
      return own.length === 0 ? [] : [[say('inspector.key_values_slot', { id: slotId }), own.join(', ')] as const];
    }),
    [say('inspector.segments'), request.segmentIds.join(', ')],
    [say('inspector.user'), say(request.hasUser ? 'inspector.user_is_known' : 'inspector.user_none')],
    [say('inspector.npa'), say(request.npa ? 'value.yes' : 'value.no')],
    ...request.slots.map(
      ({ slotId, sizes, mediaTypes }) =>
        [say('inspector.slot', { id: slotId }), [...sizes, ...mediaTypes].join(', ')] as const,
    ),
  ];
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="request-title">
      <Stack gap="sm">
        <Title order={2} size="h4" id="request-title">
          {say('inspector.request_facts')}
        </Title>
        <Table verticalSpacing={4} layout="fixed">
          <Table.Tbody>
            {facts.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" w="35%">
                  {name}
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {value === '' ? say('inspector.not_said') : <bdi>{value}</bdi>}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {bidRequest === null ? null : (
          <details>
            <summary>{say('inspector.bid_request')}</summary>
            <Code block>{JSON.stringify(bidRequest, null, 2)}</Code>
          </details>
        )}
      </Stack>
    </Paper>
  );
}
