import type { Node } from 'libpg-query';

/** What a node of one kind holds; undefined for a node of another kind. */
export function asKind<Kind extends KindOf<Node>>(node: Node | undefined, kind: Kind): Content<Kind> | undefined {
  return node === undefined ? undefined : (node as unknown as Partial<Record<Kind, Content<Kind>>>)[kind];
}

type KindOf<T> = T extends unknown ? keyof T & string : never;
type Content<Kind extends string> = Extract<Node, Record<Kind, unknown>> extends Record<Kind, infer C> ? C : never;

/** The texts of a list of names. */
export function namesOf(nodes: readonly Node[] | undefined): string[] {
  return (nodes ?? []).map((node) => asKind(node, 'String')?.sval ?? '');
}

/** The kind of a node, as PostgreSQL names it. */
export function kindOf(node: Node | undefined): string {
  return node === undefined ? '' : (Object.keys(node)[0] ?? '');
}

/** Where an expression begins, in bytes; undefined where the parser does not say. */
export function locationOf(node: Node | undefined): number | undefined {
  if (node === undefined) return undefined;
  const content = Object.values(node)[0] as { readonly location?: number } | undefined;
  const location = content?.location ?? (kindOf(node) === '' ? undefined : 0);
  return location === undefined || location < 0 ? undefined : location;
}

/** Contents that the parser does not wrap in the name of their kind. */
const UNWRAPPED: Readonly<Record<string, string>> = { intoClause: 'IntoClause', withClause: 'WithClause' };

/** Visits every node below a value, its own kind first. Depth is bounded by the parser's own. */
export function visit(value: unknown, onNode: (kind: string, content: Record<string, unknown>) => void): void {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (Array.isArray(one)) open.push(...(one as unknown[]));
    else if (typeof one === 'object' && one !== null) {
      for (const [key, content] of Object.entries(one as Record<string, unknown>)) {
        if (typeof content !== 'object' || content === null) continue;
        const kind = key < '[' ? key : UNWRAPPED[key];
        if (kind !== undefined && !Array.isArray(content)) onNode(kind, content as Record<string, unknown>);
        open.push(content);
      }
    }
  }
}
