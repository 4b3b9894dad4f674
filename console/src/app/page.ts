import { lazyRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PageArea } from '../messages/areas.ts';
import { loadPart } from '../ui/load-part.ts';

/**
 * A page whose code is loaded when it is first opened, together with the texts of its areas. Where that fails, the rest stays, and says so: the library's own way
 * is to leave for a page that may be gone. A test compares the areas with the texts that the page says.
 */
export function page<Name extends string, Module extends Readonly<Record<Name, () => ReactNode>>>(
  load: () => Promise<Module>,
  name: Name,
  areas: readonly PageArea[],
) {
  return lazyRouteComponent(() => loadPart(load, areas), name);
}
