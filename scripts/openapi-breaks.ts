/** What a change of an OpenAPI document breaks for clients that were written for the document before it. */

/** Any part of a document. */
type Part = Readonly<Record<string, unknown>>;

/** Requests are sent by clients: they may not be refused. Responses are read by clients: they may not lack anything. */
type Direction = 'request' | 'response';

interface Documents {
  readonly before: Part;
  readonly after: Part;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const;
/** Limits of values, by whether a greater one allows more. */
const LIMITS = {
  maximum: true,
  maxLength: true,
  maxItems: true,
  minimum: false,
  minLength: false,
  minItems: false,
} as const;

/** Each break as a sentence that begins with its location; empty when clients notice nothing. */
export function openapiBreaks(before: Part, after: Part): string[] {
  const documents = { before, after };
  const breaks: string[] = [];
  for (const [path, item] of Object.entries(partOf(before['paths']))) {
    for (const method of METHODS) {
      const was = partOf(item)[method];
      if (was === undefined) continue;
      const now = partOf(partOf(after['paths'])[path])[method];
      const at = `${method.toUpperCase()} ${path}`;
      if (now === undefined) breaks.push(`${at}: is gone`);
      else breaks.push(...operationBreaks(at, partOf(was), partOf(now), documents));
    }
  }
  return breaks;
}

function operationBreaks(at: string, was: Part, now: Part, documents: Documents): string[] {
  return [
    ...parameterBreaks(at, was, now, documents),
    ...requestBreaks(at, was, now, documents),
    ...responseBreaks(at, was, now, documents),
  ];
}

function parameterBreaks(at: string, was: Part, now: Part, documents: Documents): string[] {
  const [old, present] = [named(was, documents.before), named(now, documents.after)];
  const breaks: string[] = [];
  for (const [name, parameter] of old) {
    const kept = present.get(name);
    if (kept === undefined) breaks.push(`${at} ${name}: is gone`);
    else {
      if (kept['required'] === true && parameter['required'] !== true) breaks.push(`${at} ${name}: is required now`);
      const schemas = [partOf(parameter['schema']), partOf(kept['schema'])] as const;
      breaks.push(...new Comparison(documents, 'request').breaks(`${at} ${name}`, ...schemas));
    }
  }
  for (const [name, parameter] of present) {
    if (parameter['required'] === true && !old.has(name)) breaks.push(`${at} ${name}: is new and required`);
  }
  return breaks;
}

/** Parameters by location and name. */
function named(operation: Part, document: Part): Map<string, Part> {
  const all = listOf(operation['parameters']).map((one) => resolved(one, document));
  return new Map(all.map((one) => [`${String(one['in'])} ${String(one['name'])}`, one]));
}

function requestBreaks(at: string, was: Part, now: Part, documents: Documents): string[] {
  const old = resolved(partOf(was['requestBody']), documents.before);
  const present = resolved(partOf(now['requestBody']), documents.after);
  const isNewlyRequired = present['required'] === true && old['required'] !== true;
  return [
    ...(isNewlyRequired ? [`${at} body: is required now`] : []),
    ...contentBreaks(`${at} body`, old, present, { documents, direction: 'request' }),
  ];
}

function responseBreaks(at: string, was: Part, now: Part, documents: Documents): string[] {
  return Object.entries(partOf(was['responses'])).flatMap(([status, response]) => {
    const kept = partOf(now['responses'])[status];
    if (kept === undefined) return [`${at} ${status}: is gone`];
    const [old, present] = [resolved(partOf(response), documents.before), resolved(partOf(kept), documents.after)];
    return contentBreaks(`${at} ${status}`, old, present, { documents, direction: 'response' });
  });
}

function contentBreaks(
  at: string,
  was: Part,
  now: Part,
  { documents, direction }: { readonly documents: Documents; readonly direction: Direction },
): string[] {
  return Object.entries(partOf(was['content'])).flatMap(([type, content]) => {
    const kept = partOf(now['content'])[type];
    if (kept === undefined) return [`${at} ${type}: is gone`];
    const schemas = [partOf(partOf(content)['schema']), partOf(partOf(kept)['schema'])] as const;
    return new Comparison(documents, direction).breaks(`${at} ${type}`, ...schemas);
  });
}

/** Compares two schemas, each pair of named schemas once. */
class Comparison {
  readonly #documents: Documents;
  readonly #direction: Direction;
  readonly #seen: Set<string>;

  constructor(documents: Documents, direction: Direction, seen: Iterable<string> = []) {
    this.#documents = documents;
    this.#direction = direction;
    this.#seen = new Set(seen);
  }

  breaks(at: string, was: Part, now: Part): string[] {
    const pair = `${String(was['$ref'])} ${String(now['$ref'])}`;
    if (was['$ref'] !== undefined && now['$ref'] !== undefined) {
      if (this.#seen.has(pair)) return [];
      this.#seen.add(pair);
    }
    const [old, present] = [resolved(was, this.#documents.before), resolved(now, this.#documents.after)];
    return [
      ...this.#branches(at, old, present),
      ...this.#types(at, old, present),
      ...this.#values(at, old, present),
      ...this.#limits(at, old, present),
      ...this.#members(at, old, present),
      ...(old['items'] === undefined || present['items'] === undefined
        ? []
        : this.breaks(`${at}[]`, partOf(old['items']), partOf(present['items']))),
    ];
  }

  /** Of alternatives, each one that may come must be one that is known on the other side. */
  #branches(at: string, old: Part, present: Part): string[] {
    if (!hasAlternatives(old) && !hasAlternatives(present)) return [];
    const [oldOnes, presentOnes] = [alternativesOf(old), alternativesOf(present)];
    const [sent, known] =
      this.#direction === 'request' ? [oldOnes, orItself(presentOnes, present)] : [presentOnes, orItself(oldOnes, old)];
    const fits = (one: Part, other: Part): boolean => {
      const pair = this.#direction === 'request' ? ([one, other] as const) : ([other, one] as const);
      return new Comparison(this.#documents, this.#direction, this.#seen).breaks('', ...pair).length === 0;
    };
    return orItself(sent, this.#direction === 'request' ? old : present).flatMap((one, index) =>
      known.some((other) => fits(one, other)) ? [] : [`${at}: alternative ${index + 1} fits none of the other side`],
    );
  }

  #types(at: string, old: Part, present: Part): string[] {
    const [oldTypes, presentTypes] = [typesOf(old), typesOf(present)];
    if (oldTypes === null || presentTypes === null) return [];
    const [sent, known] = this.#direction === 'request' ? [oldTypes, presentTypes] : [presentTypes, oldTypes];
    const surplus = sent.filter((type) => !known.includes(type) && !(type === 'integer' && known.includes('number')));
    return surplus.map((type) =>
      this.#direction === 'request' ? `${at}: ${type} is refused now` : `${at}: can be ${type} now`,
    );
  }

  /** Responses may have new values: clients are told to expect them. */
  #values(at: string, old: Part, present: Part): string[] {
    if (this.#direction === 'response' || present['enum'] === undefined) return [];
    const known = listOf(present['enum']) as readonly unknown[];
    if (old['enum'] === undefined) return old['const'] === undefined ? [`${at}: takes certain values only now`] : [];
    const gone = (listOf(old['enum']) as readonly unknown[]).filter((value) => !known.includes(value));
    return gone.map((value) => `${at}: ${JSON.stringify(value)} is refused now`);
  }

  #limits(at: string, old: Part, present: Part): string[] {
    if (this.#direction === 'response') return [];
    return Object.entries(LIMITS).flatMap(([name, isUpper]) => {
      const [was, now] = [old[name], present[name]];
      if (typeof now !== 'number') return [];
      const none = isUpper ? Number.POSITIVE_INFINITY : name === 'minimum' ? Number.NEGATIVE_INFINITY : 0;
      const before = typeof was === 'number' ? was : none;
      return (isUpper ? now < before : now > before) ? [`${at}: ${name} is ${now} now`] : [];
    });
  }

  #members(at: string, old: Part, present: Part): string[] {
    const [oldOnes, presentOnes] = [partOf(old['properties']), partOf(present['properties'])];
    const [oldRequired, required] = [listOf(old['required']), listOf(present['required'])] as unknown as string[][];
    const breaks = Object.entries(oldOnes).flatMap(([name, schema]) => {
      const kept = presentOnes[name];
      if (kept !== undefined) return this.breaks(`${at}.${name}`, partOf(schema), partOf(kept));
      const isFree = this.#direction === 'request' && present['additionalProperties'] !== false;
      return isFree && Object.keys(presentOnes).length === 0 ? [] : [`${at}.${name}: is gone`];
    });
    const [must, may] = this.#direction === 'request' ? [required, oldRequired] : [oldRequired, required];
    const missing = (must ?? []).filter((name) => !(may ?? []).includes(name));
    const said = this.#direction === 'request' ? 'is required now' : 'can be absent now';
    const known = this.#direction === 'request' ? missing : missing.filter((name) => name in presentOnes);
    return [...breaks, ...known.map((name) => `${at}.${name}: ${said}`)];
  }
}

function hasAlternatives({ anyOf, oneOf }: Part): boolean {
  return anyOf !== undefined || oneOf !== undefined;
}

/** A list of types is one alternative for each. */
function alternativesOf(schema: Part): Part[] {
  if (hasAlternatives(schema)) return listOf(schema['anyOf'] ?? schema['oneOf']);
  return (typesOf(schema) ?? []).map((type) => ({ ...schema, type }));
}

function orItself(alternatives: Part[], schema: Part): Part[] {
  return alternatives.length === 0 ? [schema] : alternatives;
}

function typesOf({ type }: Part): readonly string[] | null {
  if (type === undefined) return null;
  return Array.isArray(type) ? (type as string[]) : [type as string];
}

function resolved(part: Part, document: Part): Part {
  const { $ref: reference } = part;
  if (typeof reference !== 'string') return part;
  const names = reference.replace(/^#\//, '').split('/');
  return resolved(
    names.reduce<Part>((found, name) => partOf(found[name.replaceAll('~1', '/').replaceAll('~0', '~')]), document),
    document,
  );
}

function partOf(value: unknown): Part {
  return typeof value === 'object' && value !== null ? (value as Part) : {};
}

function listOf(value: unknown): Part[] {
  return Array.isArray(value) ? (value as Part[]) : [];
}
