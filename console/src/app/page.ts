import { lazyRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiProblem } from '../api/problem.ts';
import type { PageArea } from '../messages/areas.ts';
import { loadAreas } from '../messages/language.ts';

/**
 * A page whose code is loaded when it is first opened, together with the texts of its areas. Where that fails, the rest stays, and says so: the library's own way
 * is to leave for a page that may be gone. A test compares the areas with the texts that the page says.
 */
export function page<Name extends string, Module extends Readonly<Record<Name, () => ReactNode>>>(
  load: () => Promise<Module>,
  name: Name,
  areas: readonly PageArea[],
) {
  const loaded = async (): Promise<Module> => {
    try {
      const [module] = await Promise.all([load(), loadAreas(areas)]);
      return module;
    } catch (error) {
      throw new ApiProblem({ code: 'page_not_loaded', message: '', status: 503, details: { cause: String(error) } });
    }
  };
  return lazyRouteComponent(loaded, name);
}
