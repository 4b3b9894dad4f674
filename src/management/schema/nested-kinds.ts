import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * The object types that an operation reads anywhere below its root fields, fragments followed. A key that is limited to one
 * module must not read another's objects over the links between them (conformance K5). For a validated document.
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
  const objectNamed = (name: string | undefined, otherwise: GraphQLObjectType | null): GraphQLObjectType | null =>
    name === undefined ? otherwise : objectOf(schema.getType(name) as GraphQLOutputType | undefined);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [set, parent] = next;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const field = parent?.getFields()[selection.name.value];
        const type = objectOf(field?.type);
        if (type !== null) types.add(type.name);
        if (selection.selectionSet !== undefined) open.push([selection.selectionSet, type]);
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

/** The object type behind lists and non-nulls. By shape: the engine and its libraries may each bring classes of their own. */
function objectOf(type: GraphQLOutputType | undefined): GraphQLObjectType | null {
  let named = type;
  while (named !== undefined && 'ofType' in named) named = named.ofType as GraphQLOutputType;
  return named !== undefined && 'getFields' in named ? (named as GraphQLObjectType) : null;
}
