import { builder } from './builder.ts';

/** An enumeration whose values and their descriptions are a table. */
export function enumOf<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
) {
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(
      Object.entries<string>(values).map(([value, said]) => [value, { value, description: said }]),
    ) as Record<Value, { value: Value; description: string }>,
  });
}
