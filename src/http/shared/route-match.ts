/** The match of a path: the values by method, and the raw texts its parameters took, in pattern order. */
export interface PathMatch<T> {
  readonly byMethod: ReadonlyMap<string, T>;
  readonly captures: readonly string[];
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  parameter: Node<T> | null;
  readonly byMethod: Map<string, T>;
  readonly restByMethod: Map<string, T>;
}

/**
 * A tree of path patterns, one level a segment. `:name` takes one non-empty segment, a trailing `*name` (or `*`) takes the rest.
 * Literals win over parameters, parameters over rests. No regular expressions and no allocation per literal segment but the
 * slice itself.
 */
export class RouteTree<T> {
  readonly #root: Node<T> = newNode();

  /**
   * Adds a value for one method of a pattern.
   *
   * @throws Error when the pattern does not start with `/`, has a rest before its end, or is taken for that method.
   */
  add(method: string, pattern: string, value: T): void {
    if (!pattern.startsWith('/')) throw new Error(`Route pattern ${pattern} must start with a slash`);
    const segments = pattern.slice(1).split('/');
    let node = this.#root;
    for (const [index, segment] of segments.entries()) {
      if (segment.startsWith('*')) {
        if (index !== segments.length - 1) throw new Error(`Route pattern ${pattern} has a rest before its end`);
        return setOnce(node.restByMethod, method, value, pattern);
      }
      node = stepInto(node, segment);
    }
    setOnce(node.byMethod, method, value, pattern);
  }

  /** Finds what stands at a raw path (no query); null when nothing does. */
  find(path: string): PathMatch<T> | null {
    return path.charCodeAt(0) === 0x2f ? findIn(this.#root, path, 1, []) : null;
  }
}

/** One parameter of a pattern; a rest is taken as received, others are percent-decoded. */
export interface PatternParameter {
  readonly name: string;
  readonly isRest: boolean;
}

/** The parameters of a pattern, in the order of `PathMatch.captures`. */
export function patternParameters(pattern: string): PatternParameter[] {
  return pattern
    .split('/')
    .filter((segment) => segment.startsWith(':') || segment.startsWith('*'))
    .map((segment) => ({ name: segment.slice(1) || '*', isRest: segment.startsWith('*') }));
}

function findIn<T>(node: Node<T>, path: string, start: number, captures: string[]): PathMatch<T> | null {
  const slash = path.indexOf('/', start);
  const segment = slash === -1 ? path.slice(start) : path.slice(start, slash);
  const literal = node.literals.get(segment);
  if (literal !== undefined) {
    const found = slash === -1 ? endAt(literal, captures) : findIn(literal, path, slash + 1, captures);
    if (found !== null) return found;
  }
  if (node.parameter !== null && segment !== '') {
    captures.push(segment);
    const found = slash === -1 ? endAt(node.parameter, captures) : findIn(node.parameter, path, slash + 1, captures);
    if (found !== null) return found;
    captures.pop();
  }
  if (node.restByMethod.size === 0) return null;
  captures.push(path.slice(start));
  return { byMethod: node.restByMethod, captures };
}

function endAt<T>(node: Node<T>, captures: string[]): PathMatch<T> | null {
  return node.byMethod.size === 0 ? null : { byMethod: node.byMethod, captures };
}

function stepInto<T>(node: Node<T>, segment: string): Node<T> {
  if (segment.startsWith(':')) return (node.parameter ??= newNode());
  const known = node.literals.get(segment);
  if (known !== undefined) return known;
  const made = newNode<T>();
  node.literals.set(segment, made);
  return made;
}

function newNode<T>(): Node<T> {
  return { literals: new Map(), parameter: null, byMethod: new Map(), restByMethod: new Map() };
}

function setOnce<T>(methods: Map<string, T>, method: string, value: T, pattern: string): void {
  if (methods.has(method)) throw new Error(`Route ${method} ${pattern} is declared twice`);
  methods.set(method, value);
}
