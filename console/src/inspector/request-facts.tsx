import { Code, Paper, Stack, Table, Title } from '@mantine/core';
import type { Inspection } from '../api/inspection.ts';
import { say } from '../messages/say.ts';

/** What the request said, and the bid request that it was. */
export function RequestFacts({ inspection: { request, bidRequest } }: { readonly inspection: Inspection }) {
  const facts: readonly (readonly [string, string])[] = [
    [say('inspector.country'), request.country],
    [say('inspector.device'), [request.deviceType, request.os, request.browser].filter((one) => one !== '').join(', ')],
    [say('inspector.key_values'), request.keyValues.map(({ key, values }) => `${key}=${values.join('|')}`).join(', ')],
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
