/** The Python of the GraphQL schema: `sdk/python/placard/schema.py`. */
import {
  buildSchema,
  getNamedType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
  isUnionType,
} from 'graphql';
import { mutationsWithoutUserErrors, ownTypes, shapeOf } from './graphql-types.ts';
import { firstParagraph, literal, type PythonKey, typedDict } from './python-text.ts';

const HEAD = `"""Types of the management API, and what selections of fields must know of arguments.

Generated from contract/schema.graphql; do not edit. "npx vitest run src/management/schema/schema.test.ts -u" writes it.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, TypedDict, Union
`;

const SCALARS: Readonly<Record<string, string>> = {
  ID: 'str',
  String: 'str',
  Int: 'int',
  Float: 'float',
  Boolean: 'bool',
  DateTime: 'str',
  Decimal: 'str',
  Long: 'int',
  JSON: 'Any',
};

/** The module, from the text of contract/schema.graphql. @param version of the API, which the client sends with each operation @throws Error for a scalar that it does not know */
export function writePythonSchema(text: string, version: string): string {
  const schema = buildSchema(text);
  const types = ownTypes(schema).filter((type) => !isScalarType(type));
  // Python evaluates what is not within a class at once: texts of enumerations come first, unions last.
  const rank = (type: GraphQLNamedType): number => (isEnumType(type) ? 0 : isUnionType(type) ? 2 : 1);
  const parts = types.toSorted((a, b) => rank(a) - rank(b)).map((type) => declare(type, schema));
  return `${HEAD}\nAPI_VERSION = "${version}"\n\n${parts.join('\n\n')}\n\n${writeShape(schema)}`;
}

function declare(type: GraphQLNamedType, schema: GraphQLSchema): string {
  const note = firstParagraph(type.description);
  if (isEnumType(type)) return `${type.name} = ${literal(type.getValues().map((value) => value.name))}\n`;
  if (isUnionType(type))
    return `${type.name} = Union[${schema
      .getPossibleTypes(type)
      .map(({ name }) => `"${name}"`)
      .join(', ')}]\n`;
  if (isInputObjectType(type)) {
    const keys = Object.values(type.getFields()).map((field): PythonKey => {
      return {
        name: field.name,
        type: typeText(field.type),
        required: isRequiredInputField(field),
        note: firstParagraph(field.description),
      };
    });
    return typedDict(type.name, keys, note);
  }
  const fields = Object.values((type as GraphQLObjectType | GraphQLInterfaceType).getFields());
  const keys = fields.map((field): PythonKey => {
    return { name: field.name, type: typeText(field.type), required: false, note: firstParagraph(field.description) };
  });
  return typedDict(type.name, keys, note);
}

function typeText(type: GraphQLType): string {
  if (!isNonNullType(type)) {
    const inner = innerText(type);
    return inner === 'Any' ? inner : `Optional[${inner}]`;
  }
  return innerText(type.ofType as GraphQLType);
}

function innerText(type: GraphQLType): string {
  if (isListType(type)) return `List[${typeText(type.ofType as GraphQLType)}]`;
  const named = getNamedType(type);
  if (!isScalarType(named)) return named.name;
  const text = SCALARS[named.name];
  if (text === undefined) throw new Error(`scripts/sdk/python-schema.ts knows no Python for the scalar ${named.name}`);
  return text;
}

function writeShape(schema: GraphQLSchema): string {
  const lines = shapeOf(schema).map(([type, fields]) => {
    const inner = fields.map(([name, text]) => `        "${name}": "${text}",\n`);
    return `    "${type}": {\n${inner.join('')}    },\n`;
  });
  return `SHAPE: Mapping[str, Mapping[str, str]] = {\n${lines.join('')}}\n"""Fields with arguments, and those that lead to one: type of the value, then arguments with their types."""

WITHOUT_USER_ERRORS = frozenset([
${mutationsWithoutUserErrors(schema)
  .map((name) => `    "${name}",\n`)
  .join('')}])
"""The mutations whose result has no \`userErrors\`."""
`;
}
