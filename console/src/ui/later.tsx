import { type ComponentType, lazy, Suspense } from 'react';
import type { PageArea } from '../messages/areas.ts';
import { loadAreas } from '../messages/language.ts';

/** A part of a page whose code is loaded when it is first shown, together with the areas of texts that the page itself does not load. Until then it shows nothing. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  areas: readonly PageArea[],
): ComponentType<Props> {
  const Part = lazy(async () => {
    const [part] = await Promise.all([load(), loadAreas(areas)]);
    return { default: part };
  }) as unknown as ComponentType<Props>;
  return function Later(props: Props) {
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  };
}
