/** The Python of the REST API: `sdk/python/placard/rest.py`. */
import {
  docstring,
  firstParagraph,
  isPythonName,
  literal,
  type PythonKey,
  snakeCase,
  typedDict,
} from './python-text.ts';

const HEAD = `"""The REST API: a method for each operation, and the types of bodies.

Generated from contract/openapi.json; do not edit. "node scripts/write-openapi.ts" writes it.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, TypedDict, Union, cast

from ._transport import Body, Transport, quote

`;

/** The members of an OpenAPI document that this reads. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly description?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly description?: string;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** Operations that Python programs do not call: GraphQL has a client of its own, and the others are for other programs. */
const LEFT_OUT = /ByAddress$|^(?:graphql|mcp|metrics)$/;
/** A second try could do these twice. */
const SENT_ONCE: ReadonlySet<string> = new Set(['submitBulkJob']);
const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  object: 'Dict[str, Any]',
  array: 'List[Any]',
};

/** The module, from the parsed contract/openapi.json. */
export function writePythonRest(document: OpenApi): string {
  const models = new Models();
  for (const [name, schema] of Object.entries(document.components.schemas)) models.define(name, schema);
  const methods = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      isOperation(operation) && isCalled(operation) ? [writeMethod(path, item, { method, operation, models })] : [],
    ),
  );
  const operations = `class Operations:
    """Every operation that programs call. Each takes \`timeout\`, its time limit in seconds."""

    _transport: Transport

${methods.join('\n')}`;
  return `${HEAD}${models.text()}\n\n${operations}`;
}

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'operationId' in value;
}

/** Pixels, pages and scripts are for browsers: a program calls what returns data. */
function isCalled({ operationId, responses }: Operation): boolean {
  return !LEFT_OUT.test(operationId) && Object.keys(dataOf(responses)).length > 0;
}

const isData = (type: string): boolean => /json|csv|arrow|parquet|spreadsheet/.test(type);

/** The media types of the response, and their schemas. */
function dataOf(responses: Operation['responses']): Content {
  const [, response] = Object.entries(responses).find(([status, one]) => status < '300' && one.content) ?? [];
  return Object.fromEntries(Object.entries(response?.content ?? {}).filter(([type]) => isData(type)));
}

/** Definitions of types, in the order in which Python can read them. */
class Models {
  readonly #dicts: string[] = [];
  readonly #aliases: string[] = [];

  text(): string {
    return [...this.#dicts, ...this.#aliases].join('\n\n');
  }

  define(name: string, schema: Schema): void {
    if (schema.properties !== undefined) this.#dict(name, schema);
    else this.#aliases.push(`${name} = ${quoted(this.typeOf(schema, name))}\n`);
  }

  /** The Python type of a schema; an object of its own gets the name `hint`. */
  typeOf(schema: Schema, hint: string): string {
    if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    if (schema.const !== undefined) return this.#literal([schema.const]);
    if (schema.enum !== undefined) return this.#literal(schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined)
      return union(choices.map((one, index) => this.typeOf(one, choices.length === 1 ? hint : `${hint}${index + 1}`)));
    if (typeof schema.type === 'object')
      return union(schema.type.map((type) => this.typeOf({ ...schema, type }, hint)));
    if (schema.type === 'array')
      return `List[${schema.items === undefined ? 'Any' : this.typeOf(schema.items, `${hint}Item`)}]`;
    if (schema.properties !== undefined && Object.keys(schema.properties).length > 0) return this.#dict(hint, schema);
    if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
      return `Dict[str, ${this.typeOf(schema.additionalProperties, `${hint}Value`)}]`;
    return PRIMITIVES[schema.type ?? ''] ?? 'Any';
  }

  #literal(values: readonly unknown[]): string {
    const texts = values.filter((one) => typeof one === 'string');
    if (texts.length === values.length) return literal(texts);
    return union([...new Set(values.map((one) => PRIMITIVES[one === null ? 'null' : typeof one] ?? 'Any'))]);
  }

  #dict(name: string, schema: Schema): string {
    const keys = Object.entries(schema.properties ?? {}).map(([key, value]): PythonKey => {
      const hint = `${name}${key.charAt(0).toUpperCase()}${key.slice(1)}`.replace(/\W/g, '');
      const required = schema.required?.includes(key) === true;
      return { name: key, type: this.typeOf(value, hint), required, note: firstParagraph(value.description) };
    });
    this.#dicts.push(typedDict(name, keys, firstParagraph(schema.description)));
    return name;
  }
}

function union(types: readonly string[]): string {
  const all = [...new Set(types)];
  if (all.includes('Any')) return 'Any';
  const others = all.filter((type) => type !== 'None');
  const inner = others.length === 1 ? (others[0] ?? 'None') : `Union[${others.join(', ')}]`;
  return others.length === all.length ? inner : others.length === 0 ? 'None' : `Optional[${inner}]`;
}

/** Names of types as texts: an alias is read when not all of them are defined. */
function quoted(type: string): string {
  const known = new Set(['Any', 'Dict', 'List', 'Literal', 'Optional', 'Union', 'None']);
  return type.replace(/"[^"]*"|\b[A-Z]\w*\b/g, (name) =>
    name.startsWith('"') || known.has(name) ? name : `"${name}"`,
  );
}

interface Method {
  readonly method: string;
  readonly operation: Operation;
  readonly models: Models;
}

function writeMethod(
  path: string,
  item: Readonly<Record<string, unknown>>,
  { method, operation, models }: Method,
): string {
  const all = [...((item['parameters'] ?? []) as Parameter[]), ...(operation.parameters ?? [])];
  const inPath = all.filter((one) => one.in === 'path' && one.name !== 'network');
  const inQuery = all.filter((one) => one.in === 'query');
  const body = bodyOf(operation, models);
  const data = dataOf(operation.responses);
  const types = Object.keys(data);
  const hasForms = types.length > 1;
  const result = resultOf(operation, data, models);
  const signature = [
    'self',
    ...inPath.map((one) => `${argumentName(one.name)}: str`),
    ...(body === null ? [] : [`body: ${body.type}`]),
    '*',
    ...inQuery.map((one) => {
      const type = models.typeOf(one.schema ?? {}, `${operation.operationId}${one.name}`);
      return `${argumentName(one.name)}: ${one.required === true ? type : `Optional[${type}] = None`}`;
    }),
    ...(hasForms ? [`accept: ${literal(types)} = ${JSON.stringify(types[0])}`] : []),
    'timeout: Optional[float] = None',
  ];
  const query = inQuery.map((one) => `${JSON.stringify(one.name)}: ${argumentName(one.name)}`).join(', ');
  const call = [
    JSON.stringify(method.toUpperCase()),
    JSON.stringify(serverOf(item)),
    `${inPath.length > 0 ? 'f' : ''}${JSON.stringify(path.replace('{network}', '<network>').replace(/\{(\w+)\}/g, (_all, name: string) => `{quote(${argumentName(name)})}`))}`,
    ...(body === null ? [] : [`body=body`, `media_type=${JSON.stringify(body.mediaType)}`]),
    ...(query === '' ? [] : [`query={${query}}`]),
    `accept=${hasForms ? 'accept' : JSON.stringify(types[0])}`,
    ...(SENT_ONCE.has(operation.operationId) ? ['repeatable=False'] : []),
    `secured=${operation.security !== undefined && operation.security.length > 0 ? 'True' : 'False'}`,
    'timeout=timeout',
  ];
  const note = [operation.summary, firstParagraph(operation.description)].filter((one) => one !== '').join(' ');
  return `    def ${snakeCase(operation.operationId)}(
        ${signature.join(',\n        ')},
    ) -> ${result}:
${docstring(note, '        ')}        return cast(
            ${JSON.stringify(result)},
            self._transport.call(
                ${call.join(',\n                ')},
            ),
        )
`;
}

function argumentName(name: string): string {
  const snake = snakeCase(name);
  return isPythonName(snake) ? snake : `${snake}_`;
}

function bodyOf({ operationId, requestBody }: Operation, models: Models): { type: string; mediaType: string } | null {
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (mediaType === undefined) return null;
  if (mediaType !== 'application/json') return { type: 'Body', mediaType };
  return { type: models.typeOf(content?.schema ?? {}, `${operationId}Body`), mediaType };
}

/** JSON is read; any other form is bytes. An empty response is None. */
function resultOf({ operationId, responses }: Operation, data: Content, models: Models): string {
  const types = Object.entries(data).map(([type, { schema }]) =>
    type === 'application/json' ? models.typeOf(schema ?? {}, `${operationId}Result`) : 'bytes',
  );
  return union([...types, ...(responses['204'] === undefined ? [] : ['None'])]);
}

function serverOf(item: Readonly<Record<string, unknown>>): 'core' | 'delivery' {
  const servers = item['servers'] as readonly { readonly url: string }[] | undefined;
  return servers?.some(({ url }) => url.includes('{delivery}')) === true ? 'delivery' : 'core';
}
