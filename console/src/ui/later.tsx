import { type ComponentType, lazy, Suspense, useState } from 'react';
import type { PageArea } from '../messages/areas.ts';
import { loadPart } from './load-part.ts';

/**
 * A part of a page whose code is loaded when it is first shown, together with the areas of texts that the page itself does not load. Until then it shows nothing.
 * Where loading fails, the part that is shown next tries again.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  areas: readonly PageArea[],
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  const begin = (): ComponentType<Props> =>
    loaded ??
    (lazy(async () => {
      loaded = await loadPart(load, areas);
      return { default: loaded };
    }) as unknown as ComponentType<Props>);
  return function Later(props: Props) {
    const [Part] = useState<ComponentType<Props>>(begin);
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  };
}
