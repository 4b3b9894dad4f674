import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  buildSchema,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import type { CsvColumn } from './csv-column.ts';
import { CSV } from './csv-columns.ts';
import { headingsOf, writeTemplate } from './csv-export.ts';
import { CSV_KINDS } from './csv-kinds.ts';
import { planImport } from '../csv-plan.ts';
import { readTable } from './csv-text.ts';

const schema = buildSchema(
  readFileSync(fileURLToPath(new URL('../../../../contract/schema.graphql', import.meta.url)), 'utf8'),
);
/** Inputs of several members, which have no column. */
const WITHOUT_COLUMN = ['countedActivities', 'rule'];

describe.each(CSV_KINDS)('the columns of %s', (kind) => {
  const { type, one, columns, parent, keyFilter } = CSV[kind];
  const input = schema.getType(`Create${type}Input`) as GraphQLInputObjectType;
  const object = schema.getType(type) as GraphQLObjectType;
  const plain = columns.filter(({ member }) => member === undefined);

  test('the columns are the fields of the create input of the API', () => {
    const fields = new Set([...columns.map(({ field }) => field), ...(parent === null ? [] : [parent.field])]);
    const wanted = Object.keys(input.getFields()).filter((name) => !WITHOUT_COLUMN.includes(name));
    expect([...fields].sort()).toEqual(wanted.sort());
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toEqual(expect.arrayContaining([kind, one]));
  });

  test('a column can be emptied exactly where the API has null, an empty text or an empty list', () => {
    const emptied = (field: string): unknown => {
      const own = object.getFields()[field]?.type;
      if (!isNonNullType(own)) return null;
      if (isListType(own.ofType)) return [];
      return own.ofType.toString() === 'JSON' ? {} : '';
    };
    for (const { field, empty } of plain.filter((column) => column.empty !== undefined))
      expect([field, empty]).toEqual([field, emptied(field)]);
    const nullable = plain.filter(({ field, empty }) => empty === undefined && emptied(field) === null);
    expect(nullable.map(({ field }) => field)).toEqual([]);
  });

  test('columns have the choices of the API, and fields that cannot change are of new objects alone', () => {
    const choicesOf = ({ field, member }: CsvColumn): readonly string[] | undefined => {
      let own = getNamedType(input.getFields()[field]?.type);
      if (field === 'targeting') return undefined;
      if (isInputObjectType(own) && member !== undefined) own = getNamedType(own.getFields()[member]?.type);
      return isEnumType(own) ? (own as GraphQLEnumType).getValues().map(({ name }) => name) : undefined;
    };
    for (const column of columns)
      expect([column.name, column.choices?.toSorted()]).toEqual([column.name, choicesOf(column)?.toSorted()]);
    const changing = Object.keys((schema.getType(`Update${type}Input`) as GraphQLInputObjectType).getFields());
    for (const { field, isRequired = false, member } of columns)
      expect([field, isRequired]).toEqual([
        field,
        member === undefined && isNonNullType(input.getFields()[field]?.type),
      ]);
    for (const { field, onlyNew } of columns)
      expect([field, onlyNew !== true]).toEqual([field, changing.includes(field)]);
    if (keyFilter !== null)
      expect(Object.keys((schema.getType(`${type}Filter`) as GraphQLInputObjectType).getFields())).toContain(keyFilter);
  });

  test('the template has all columns, and its example can be read', () => {
    const table = readTable(writeTemplate(kind).join(''));
    if ('fault' in table) throw new Error(table.fault);
    expect(table.heading).toEqual(headingsOf(CSV[kind]));
    const site = { id: '5', name: 'Example', code: 'example', status: 'ACTIVE' };
    const known = { records: [], parents: parent?.kind === 'sites' ? [site] : [], advertisers: [] };
    const plan = planImport(kind, table, known, { timezone: 'Europe/Warsaw', makesMissing: true });
    expect(plan.leftOut).toEqual([]);
    expect(plan.rows[0]).toMatchObject({ action: 'make', problems: [] });
    const required = Object.values(input.getFields()).filter((field) => isNonNullType(field.type));
    const given = Object.keys(plan.rows[0]?.input ?? {});
    expect(required.map(({ name }) => name).filter((name) => !given.includes(name))).toEqual(
      plan.missing.length === 0 ? [] : [parent?.field],
    );
  });
});
