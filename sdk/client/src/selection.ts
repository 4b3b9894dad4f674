/** A value that may be left out. */
type Value<Field> = Field extends (args: never) => infer Result ? Result : Field;

/** The object type of a field's value, without lists and null; never for a value without fields. */
type ObjectOf<Field> = Field extends readonly (infer Item)[]
  ? ObjectOf<Item>
  : Field extends { readonly __typename: string }
    ? Field
    : never;

type Chosen<Field> = [ObjectOf<Field>] extends [never] ? boolean : Selection<ObjectOf<Field>>;

type Choice<Field> = Field extends (args: infer Args) => infer Result
  ? readonly [Exclude<Args, undefined>, Chosen<Result>] | (undefined extends Args ? Chosen<Result> : never)
  : Chosen<Field>;

/**
 * The fields that are asked for: `true` for a value, a selection for an object, `[arguments, …]` for a field with arguments. `on_Name` selects
 * what only that type of a union or an interface has.
 */
export type Selection<Type> = { readonly [Name in keyof Type]?: Choice<Type[Name]> };

type MemberName = `on_${string}`;
type Below<Choice> = Choice extends readonly [unknown, infer Inner] ? Inner : Choice;

type Selected<Field, Choice> = Field extends readonly (infer Item)[]
  ? readonly Selected<Item, Choice>[]
  : Field extends { readonly __typename: string }
    ? ResultOf<Field, Choice>
    : Field;

type Fields<Type, Choices> = {
  readonly [Name in Exclude<keyof Choices & keyof Type, MemberName> as Choices[Name] extends false | undefined
    ? never
    : Name]: Selected<Value<Type[Name]>, Below<Choices[Name]>>;
};

type Members<Type, Choices> = {
  [Name in keyof Type & MemberName]: Pick<ObjectOf<Type[Name]>, '__typename'> &
    (Name extends keyof Choices ? Fields<Type[Name], Choices[Name]> : unknown);
}[keyof Type & MemberName];

/** The data of a selection. Of a union or an interface with `on_…`, `__typename` tells the members apart. */
export type ResultOf<Type, Choices> = keyof Choices & MemberName extends never
  ? Fields<Type, Choices>
  : Fields<Type, Choices> & Members<Type, Choices>;
