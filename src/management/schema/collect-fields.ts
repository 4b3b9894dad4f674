import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type NamedTypeNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

/** The fields of one level by the name under which they are returned; those of one name are merged, as they are executed. */
export type FieldGroups = ReadonlyMap<string, readonly FieldNode[]>;

/** An operation as far as its expansion needs it. `visit` is called for every selection, and throws when there are too many. */
export interface Expansion {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Values of the variables after coercion, defaults included. */
  readonly variables: Readonly<Record<string, unknown>>;
  visit(): void;
  /** Whether a fragment on a type (an object, an interface or a union) runs on objects of a type. */
  runsOn(condition: string, objectType: string): boolean;
}

/**
 * The fields that are executed on one object for some selection sets: fragments followed, each once, selections under @skip and
 * @include, and fragments on other types, left out where they do not run.
 *
 * @param objectType the type of the object; null: all fragments run, as where a valid document has no other type
 */
export function collectFields(
  expansion: Expansion,
  sets: readonly SelectionSetNode[],
  objectType: string | null,
): FieldGroups {
  const groups = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  const runs = (condition: NamedTypeNode | undefined): boolean =>
    condition === undefined || objectType === null || expansion.runsOn(condition.name.value, objectType);
  const collect = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      expansion.visit();
      if (!isIncluded(expansion, selection.directives)) continue;
      if (selection.kind === Kind.FIELD) {
        const name = selection.alias?.value ?? selection.name.value;
        const group = groups.get(name);
        if (group === undefined) groups.set(name, [selection]);
        else group.push(selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (runs(selection.typeCondition)) collect(selection.selectionSet);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = expansion.fragments.get(selection.name.value);
        if (fragment !== undefined && runs(fragment.typeCondition)) collect(fragment.selectionSet);
      }
    }
  };
  for (const set of sets) collect(set);
  return groups;
}

/** The selection sets of merged fields. */
export function setsBelow(nodes: readonly FieldNode[]): readonly SelectionSetNode[] {
  return nodes.map((node) => node.selectionSet).filter((set) => set !== undefined);
}

function isIncluded(expansion: Expansion, directives: readonly DirectiveNode[] | undefined): boolean {
  for (const directive of directives ?? []) {
    const condition = directive.arguments?.find((argument) => argument.name.value === 'if');
    if (condition === undefined) continue;
    const value = literalValue(condition.value, expansion.variables);
    if (directive.name.value === 'skip' && value === true) return false;
    if (directive.name.value === 'include' && value === false) return false;
  }
  return true;
}

/** The value of a literal or variable. undefined: a variable without a value. */
export function literalValue(node: ValueNode, variables: Readonly<Record<string, unknown>>): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return variables[node.name.value];
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.BOOLEAN:
    case Kind.STRING:
    case Kind.ENUM:
      return node.value;
    case Kind.NULL:
      return null;
    case Kind.LIST:
      return node.values.map((value) => literalValue(value, variables));
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, literalValue(value, variables)]));
  }
}
