import { ApiProblem } from '../api/transport/problem.ts';
import type { PageArea } from '../messages/areas.ts';
import { loadAreas } from '../messages/language.ts';

/** Loads code together with the texts of its areas. @throws ApiProblem `page_not_loaded` */
export async function loadPart<Part>(load: () => Promise<Part>, areas: readonly PageArea[]): Promise<Part> {
  try {
    const [part] = await Promise.all([load(), loadAreas(areas)]);
    return part;
  } catch (error) {
    throw new ApiProblem({ code: 'page_not_loaded', message: '', status: 503, details: { cause: String(error) } });
  }
}

/** Code without a component that is loaded when it is first needed, together with areas of texts that its page does not load. */
export function laterCode<Part>(load: () => Promise<Part>, areas: readonly PageArea[]): () => Promise<Part> {
  return () => loadPart(load, areas);
}
