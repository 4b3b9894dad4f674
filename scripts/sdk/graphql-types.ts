/** The TypeScript of the GraphQL schema that `@placard/client/graphql` has: types, and what its builder must know of arguments. */
import {
  buildSchema,
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  type GraphQLUnionType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isUnionType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';

const HEAD = `/**
 * Generated from contract/schema.graphql; do not edit. \`npx vitest run src/management/schema/schema.test.ts -u\` writes it.
 * Fields with arguments are functions here, so that a selection of fields knows both.
 */
`;

/** How a scalar is sent. */
const SCALARS: Readonly<Record<string, string>> = {
  ID: 'string',
  String: 'string',
  Int: 'number',
  Float: 'number',
  Boolean: 'boolean',
  DateTime: 'string',
  Decimal: 'string',
  Long: 'number',
  JSON: 'unknown',
};

/** The types of a schema in the order of their names, without those of introspection. */
export function ownTypes(schema: GraphQLSchema): GraphQLNamedType[] {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  return types.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** `sdk/client/src/api-version.ts`: the version that the client's types are of, which it sends with each operation. */
export function writeApiVersion(name: string): string {
  return `/** The version of the management API that this client is written for. Generated with schema.ts; do not edit. */\nexport const API_VERSION = '${name}';\n`;
}

/** `sdk/client/src/schema.ts`, from the text of contract/schema.graphql. @throws Error for a scalar that it does not know */
export function writeGraphqlTypes(text: string): string {
  const schema = buildSchema(text);
  const parts = ownTypes(schema).flatMap((type) => {
    if (isScalarType(type)) return [];
    return [`${comment(type.description, '')}${declare(type, schema)}`];
  });
  return `${HEAD}\n${parts.join('\n')}\n${writeShape(schema)}`;
}

function declare(type: GraphQLNamedType, schema: GraphQLSchema): string {
  if (isEnumType(type)) {
    const values = type.getValues().map(({ name }) => `'${name}'`);
    const line = `export type ${type.name} = ${values.join(' | ')};\n`;
    return line.length <= 121 ? line : `export type ${type.name} =\n${values.map((one) => `  | ${one}`).join('\n')};\n`;
  }
  if (isInputObjectType(type)) return declareInput(type);
  if (isUnionType(type)) return declareAbstract(type, [], schema);
  if (isInterfaceType(type)) return declareAbstract(type, Object.values(type.getFields()), schema);
  const object = type as GraphQLObjectType;
  return block(object.name, [
    `  readonly __typename: '${object.name}';`,
    ...Object.values(object.getFields()).map(declareField),
  ]);
}

function declareInput(type: GraphQLInputObjectType): string {
  const fields = Object.values(type.getFields()).map((field) => {
    const mark = isRequiredInputField(field) ? '' : '?';
    return `${comment(field.description, '  ')}  readonly ${field.name}${mark}: ${typeText(field.type, mark)};`;
  });
  return block(type.name, fields);
}

/** A member for each possible type: \`on_Picture\` selects what only a picture has. */
function declareAbstract(
  type: GraphQLInterfaceType | GraphQLUnionType,
  fields: readonly GraphQLField<unknown, unknown>[],
  schema: GraphQLSchema,
): string {
  const names = schema.getPossibleTypes(type).map(({ name }) => name);
  const members = names.toSorted().map((name) => `  readonly on_${name}: ${name};`);
  const typename = `  readonly __typename: ${names
    .toSorted()
    .map((name) => `'${name}'`)
    .join(' | ')};`;
  return block(type.name, [typename, ...fields.map(declareField), ...members]);
}

function declareField(field: GraphQLField<unknown, unknown>): string {
  const note = comment(field.description, '  ');
  if (field.args.length === 0) return `${note}  readonly ${field.name}: ${typeText(field.type)};`;
  const args = field.args.map((one) => `${comment(one.description, '    ')}    readonly ${argumentText(one)};`);
  const mark = field.args.some(isRequiredArgument) ? '' : '?';
  return `${note}  readonly ${field.name}: (args${mark}: {\n${args.join('\n')}\n  }) => ${typeText(field.type)};`;
}

function argumentText(argument: GraphQLArgument): string {
  const mark = isRequiredArgument(argument) ? '' : '?';
  return `${argument.name}${mark}: ${typeText(argument.type, mark)}`;
}

/** The type of a value; \`mark\` is ? where the value may be left out. */
function typeText(type: GraphQLType, mark = ''): string {
  const left = mark === '' ? '' : ' | undefined';
  if (isNonNullType(type)) return `${innerText(type.ofType)}${left}`;
  const inner = innerText(type);
  return inner === 'unknown' ? inner : `${inner} | null${left}`;
}

function innerText(type: GraphQLType): string {
  if (isListType(type)) {
    const item = typeText(type.ofType as GraphQLType);
    return `readonly ${item.includes(' ') ? `(${item})` : item}[]`;
  }
  const named = getNamedType(type);
  if (!isScalarType(named)) return named.name;
  const text = SCALARS[named.name];
  if (text === undefined)
    throw new Error(`scripts/sdk/graphql-types.ts knows no TypeScript for the scalar ${named.name}`);
  return text;
}

function block(name: string, lines: readonly string[]): string {
  return `export interface ${name} {\n${lines.join('\n')}\n}\n`;
}

/** The first paragraph of a description. */
function comment(description: string | null | undefined, indent: string): string {
  const [first = ''] = (description ?? '').split('\n\n');
  const text = first.replace(/\s+/g, ' ').replaceAll('*/', '*\\/').trim();
  return text === '' ? '' : `${indent}/** ${text} */\n`;
}

/** Of each type the fields with arguments, and those that lead to one: the name of the value's type, then arguments with their types. */
export function shapeOf(schema: GraphQLSchema): [string, [string, string][]][] {
  const leading = typesThatLead(schema);
  return ownTypes(schema).flatMap((type): [string, [string, string][]][] => {
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    const fields = Object.values(type.getFields()).flatMap((field): [string, string][] => {
      const value = getNamedType(field.type);
      const args = field.args.map((one) => `${one.name}:${String(one.type)}`).join();
      if (args === '' && !leading.has(value.name)) return [];
      return [[field.name, `${isCompositeType(value) ? value.name : ''}(${args})`]];
    });
    return fields.length === 0 ? [] : [[type.name, fields]];
  });
}

function writeShape(schema: GraphQLSchema): string {
  const lines = shapeOf(schema).map(
    ([type, fields]) => `  ${type}: {\n${fields.map(([name, text]) => `    ${name}: '${text}',\n`).join('')}  },`,
  );
  return `/** Of each type the fields with arguments, and those that lead to one: type of the value, then arguments with their types. */
export const SHAPE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
${lines.join('\n')}
};

/** The mutations whose result has no \`userErrors\`. */
export const WITHOUT_USER_ERRORS: readonly string[] = [
${mutationsWithoutUserErrors(schema)
  .map((name) => `  '${name}',\n`)
  .join('')}];
`;
}

/** The mutations whose result does not tell of the mistakes in their input. */
export function mutationsWithoutUserErrors(schema: GraphQLSchema): string[] {
  return Object.values(schema.getMutationType()?.getFields() ?? {})
    .filter(({ type }) => {
      const payload = getNamedType(type);
      return !isObjectType(payload) || !('userErrors' in payload.getFields());
    })
    .map(({ name }) => name);
}

/** Names of the types below which some field has arguments. */
function typesThatLead(schema: GraphQLSchema): ReadonlySet<string> {
  const leading = new Set<string>();
  const types = ownTypes(schema).filter((type) => isObjectType(type) || isInterfaceType(type));
  for (let before = -1; before !== leading.size; ) {
    before = leading.size;
    for (const type of types) {
      const fields = Object.values((type as GraphQLObjectType).getFields());
      if (fields.some((one) => one.args.length > 0 || leading.has(getNamedType(one.type).name))) leading.add(type.name);
    }
  }
  return leading;
}
