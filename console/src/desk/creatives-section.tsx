import { Paper, Stack, Table, Text, Title } from '@mantine/core';
import type { LineItemDetail } from '../api/desk-object.ts';
import { say } from '../messages/say.ts';
import { Instant } from '../ui/instant.tsx';
import { ReviewWord } from './state-words.tsx';

/** The creatives of a line item, with what keeps each from serving. */
export function CreativesSection({ creatives }: Pick<LineItemDetail, 'creatives'>) {
  const { nodes, totalCount } = creatives;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="creatives-title">
      <Stack gap="sm">
        <Title order={2} size="h3" id="creatives-title">
          {say('creatives.title')}
        </Title>
        {nodes.length === 0 ? (
          <Text>{say('creatives.empty')}</Text>
        ) : (
          <Table.ScrollContainer
            minWidth={300}
            type="native"
            scrollAreaProps={{ tabIndex: 0, role: 'region', 'aria-label': say('creatives.title') }}
          >
            <Table verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">{say('desk_column.name')}</Table.Th>
                  <Table.Th scope="col">{say('creatives.review')}</Table.Th>
                  <Table.Th scope="col">{say('desk_column.status')}</Table.Th>
                  <Table.Th scope="col">{say('creatives.format')}</Table.Th>
                  <Table.Th scope="col">{say('desk_column.updated')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {nodes.map(({ id, name, format, width, height, status, reviewState, updatedAt }) => (
                  <Table.Tr key={id}>
                    <Table.Th scope="row" fw={500}>
                      <bdi>{name}</bdi>
                    </Table.Th>
                    <Table.Td>
                      <ReviewWord state={reviewState} />
                    </Table.Td>
                    <Table.Td>{say(`creative_status.${status}`)}</Table.Td>
                    <Table.Td style={{ whiteSpace: 'nowrap' }}>
                      {`${say(`creative_format.${format}`)}, ${width === 0 ? say('creative_size.any') : `${width} × ${height}`}`}
                    </Table.Td>
                    <Table.Td style={{ whiteSpace: 'nowrap' }}>
                      <Instant at={updatedAt} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
        {totalCount > nodes.length ? (
          <Text size="sm" c="dimmed">
            {say('creatives.more', { shown: nodes.length, total: totalCount })}
          </Text>
        ) : null}
      </Stack>
    </Paper>
  );
}
