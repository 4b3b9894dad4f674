import type {
  GraphQLAbstractType,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLSchema,
} from 'graphql';

/** Whether a type is an interface or a union. By shape: the engine and its libraries may each bring classes of their own. */
export const isAbstract = (type: GraphQLNamedType): type is GraphQLAbstractType => 'resolveType' in type;

/** Whether a fragment on a type (an object, an interface or a union) runs on objects of a type. */
export function runsOn(schema: GraphQLSchema, condition: string, objectType: string): boolean {
  if (condition === objectType) return true;
  const type = schema.getType(condition);
  const object = schema.getType(objectType);
  return type !== undefined && isAbstract(type) && schema.isSubType(type, object as GraphQLObjectType);
}

/** The type behind lists and non-nulls. */
export function namedTypeOf(type: GraphQLOutputType): GraphQLOutputType & GraphQLNamedType {
  let named = type;
  while ('ofType' in named) named = named.ofType as GraphQLOutputType;
  return named;
}
