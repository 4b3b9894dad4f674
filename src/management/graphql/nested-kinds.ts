import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * The object types that an operation reads anywhere below its root fields, fragments followed. A key that is limited to one
 * module must not read another's objects over the links between them (checklist K5). For a validated document.
 */
export function nestedTypes(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Set<string> {
  const fragments = new Map(
    document.definitions
      .filter((one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION)
      .map((one) => [one.name.value, one]),
  );
  const types = new Set<string>();
  const spread = new Set<string>();
  const open: (readonly [SelectionSetNode, GraphQLObjectType | null])[] = [
    [operation.selectionSet, schema.getRootType(operation.operation) ?? null],
  ];
  const objectNamed = (name: string | undefined, otherwise: GraphQLObjectType | null): GraphQLObjectType | null => {
    const type = name === undefined ? otherwise : schema.getType(name);
    return isObjectType(type) ? type : null;
  };
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [set, parent] = next;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const field = parent?.getFields()[selection.name.value];
        const type = field === undefined ? null : getNamedType(field.type);
        if (isObjectType(type)) types.add(type.name);
        if (selection.selectionSet !== undefined) open.push([selection.selectionSet, isObjectType(type) ? type : null]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        open.push([selection.selectionSet, objectNamed(selection.typeCondition?.name.value, parent)]);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined)
          open.push([fragment.selectionSet, objectNamed(fragment.typeCondition.name.value, null)]);
      }
    }
  }
  return types;
}
