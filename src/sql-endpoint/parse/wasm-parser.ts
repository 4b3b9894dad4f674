import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ParseResult } from 'libpg-query';

/** An error that PostgreSQL's grammar found in a text. */
export class GrammarError extends Error {
  /** Characters before the error. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** Parses one text. @throws GrammarError, or any other error after which the instance must not be used again */
export type WasmParser = (sql: string) => ParseResult;

/** What we use of an instance of the parser. A pointer is an offset in its memory. */
interface Instance {
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, pointer: number, bytesMax: number): void;
  UTF8ToString(pointer: number): string;
  getValue(pointer: number, type: 'i32'): number;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _wasm_parse_query_raw(text: number): number;
  _wasm_free_parse_result(result: number): void;
}
type MakeInstance = (options: { readonly wasmBinary: Uint8Array }) => Promise<Instance>;

/** Messages of the grammar's own limits: they leave by other ways than those of a syntax error. */
const OWN_LIMIT = /memory|stack depth/i;

let files: Promise<{ readonly make: MakeInstance; readonly wasmBinary: Uint8Array }> | null = null;

/**
 * Makes an instance of PostgreSQL's parser of its own. The package shares one instance for ever, and one text that overflows the stack breaks
 * that for all.
 */
export async function createWasmParser(): Promise<WasmParser> {
  files ??= loadFiles();
  const { make, wasmBinary } = await files;
  const instance = await make({ wasmBinary });
  return (sql) => parse(instance, sql);
}

async function loadFiles(): Promise<{ readonly make: MakeInstance; readonly wasmBinary: Uint8Array }> {
  const require = createRequire(import.meta.url);
  const wasmBinary = await readFile(require.resolve('libpg-query/wasm/libpg-query.wasm'));
  return { make: require('libpg-query/wasm/libpg-query.js') as MakeInstance, wasmBinary };
}

/** Reads the structs of libpg_query: the result has tree, stderr and error; an error has message, function, file, line and position. */
function parse(instance: Instance, sql: string): ParseResult {
  const bytes = instance.lengthBytesUTF8(sql) + 1;
  const text = instance._malloc(bytes);
  instance.stringToUTF8(sql, text, bytes);
  const result = instance._wasm_parse_query_raw(text);
  const error = instance.getValue(result + 8, 'i32');
  const response = instance.UTF8ToString(instance.getValue(error === 0 ? result : error, 'i32'));
  const position = error === 0 ? 0 : instance.getValue(error + 16, 'i32');
  instance._wasm_free_parse_result(result);
  instance._free(text);
  if (error === 0) return JSON.parse(response) as ParseResult;
  if (OWN_LIMIT.test(response)) throw new Error(response);
  throw new GrammarError(response, Math.max(0, position - 1));
}
