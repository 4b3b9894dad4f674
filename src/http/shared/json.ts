import { isUtf8 } from 'node:buffer';
import { PlacardError } from '../../domain/errors.ts';
import { hasMorePartsThan, isNestedDeeper } from '../../domain/text/json-shape.ts';
import { HALF_CHARACTER, wellFormed } from '../../domain/text/stored-text.ts';
import { DEFAULT_HTTP_LIMITS } from './limits.ts';

/** The bounds of a JSON text; see `HttpLimits`. */
export interface JsonLimits {
  readonly depthMax?: number;
  readonly partsMax?: number;
  /** Half characters become U+FFFD, which stores take. Default false: as they are. */
  readonly mendsText?: boolean;
}

/** `"__proto__"` as an object key, however its characters are escaped (at least one character must be written so). */
const PROTO_HINT =
  /"(?:_|\\u005[Ff]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[Ff])(?:t|\\u0074)(?:o|\\u006[Ff])(?:_|\\u005[Ff]){2}"\s*:/;

/**
 * Parses a JSON body that came over the wire. Keys named `__proto__` are left out.
 *
 * @throws PlacardError `invalid_request` when it is empty, not UTF-8, nested deeper than `depthMax`, of more than `partsMax` objects,
 *   lists and members, or not JSON.
 */
export function parseJsonBody(
  buffer: Buffer,
  {
    depthMax = DEFAULT_HTTP_LIMITS.jsonDepthMax,
    partsMax = DEFAULT_HTTP_LIMITS.jsonPartsMax,
    mendsText = false,
  }: JsonLimits = {},
): unknown {
  if (buffer.length === 0) throw new PlacardError('invalid_request', 'The body is empty; send JSON.');
  if (!isUtf8(buffer)) throw new PlacardError('invalid_request', 'The body is not valid UTF-8.');
  const text = buffer.toString('utf8');
  if (isNestedDeeper(text, depthMax)) {
    throw new PlacardError(
      'invalid_request',
      `The JSON body is nested too deeply; at most ${depthMax} levels are taken.`,
    );
  }
  if (hasMorePartsThan(buffer, partsMax)) {
    throw new PlacardError(
      'invalid_request',
      `The JSON body is too large; at most ${partsMax} objects, lists and members are taken.`,
    );
  }
  const value = parseJsonText(text);
  return mendsText ? mendText(value, text) : value;
}

/**
 * Parses JSON text that came by another way than a body (a query parameter), with the same rules.
 *
 * @throws PlacardError `invalid_request`
 */
export function parseJsonParameter(
  text: string,
  name: string,
  { mendsText = false }: Pick<JsonLimits, 'mendsText'> = {},
): unknown {
  const depthMax = DEFAULT_HTTP_LIMITS.jsonDepthMax;
  if (text === '') throw new PlacardError('invalid_request', `The parameter ${name} is empty; it must hold JSON.`);
  if (isNestedDeeper(text, depthMax)) {
    throw new PlacardError(
      'invalid_request',
      `The JSON in ${name} is nested too deeply; at most ${depthMax} levels are taken.`,
    );
  }
  const value = parseJsonText(text, `The parameter ${name}`);
  return mendsText ? mendText(value, text) : value;
}

function parseJsonText(text: string, subject = 'The body'): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (cause) {
    throw new PlacardError('invalid_request', `${subject} is not valid JSON.`, { cause });
  }
  // The key as it is written, or with escapes in it: most bodies have neither, which is quickly seen.
  if ((text.includes('__proto__') || text.includes('\\u')) && PROTO_HINT.test(text)) dropProtoKeys(value);
  return value;
}

/** Only an escape can bring half a character into JSON of valid UTF-8. */
function mendText(value: unknown, text: string): unknown {
  return text.includes('\\u') && HALF_CHARACTER.test(text) ? wellFormed(value) : value;
}

/** Removes own `__proto__` keys everywhere, so that no later merge can reach a prototype through client data. */
function dropProtoKeys(root: unknown): void {
  const open: unknown[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) delete (value as Record<string, unknown>)['__proto__'];
    for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) open.push(child);
  }
}
