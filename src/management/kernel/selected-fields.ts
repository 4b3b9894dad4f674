import { type DirectiveNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** Whether the selection of a field returns a field of this name: fragments are followed, `@skip` and `@include` applied. */
export function selectsField(
  { fieldNodes, fragments, variableValues }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>,
  name: string,
): boolean {
  const isIncluded = (directives: readonly DirectiveNode[] | undefined): boolean =>
    (directives ?? []).every((directive) => {
      const given = directive.arguments?.find((argument) => argument.name.value === 'if')?.value;
      const condition =
        given?.kind === Kind.VARIABLE
          ? variableValues[given.name.value]
          : given?.kind === Kind.BOOLEAN
            ? given.value
            : undefined;
      if (directive.name.value === 'skip') return condition !== true;
      return directive.name.value !== 'include' || condition !== false;
    });
  const selects = (set: SelectionSetNode | undefined): boolean =>
    (set?.selections ?? []).some((selection) => {
      if (!isIncluded(selection.directives)) return false;
      if (selection.kind === Kind.FIELD) return selection.name.value === name;
      return selection.kind === Kind.INLINE_FRAGMENT
        ? selects(selection.selectionSet)
        : selects(fragments[selection.name.value]?.selectionSet);
    });
  return fieldNodes.some(({ selectionSet }) => selects(selectionSet));
}
