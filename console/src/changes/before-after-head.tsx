import { Table } from '@mantine/core';
import { say } from '../messages/say.ts';

/** The head of a table of fields before and after a change. */
export function BeforeAfterHead() {
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th scope="col">{say('diagnosis.field')}</Table.Th>
        <Table.Th scope="col">{say('diagnosis.before')}</Table.Th>
        <Table.Th scope="col">{say('diagnosis.after')}</Table.Th>
      </Table.Tr>
    </Table.Thead>
  );
}
