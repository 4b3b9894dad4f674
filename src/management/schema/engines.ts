import type { ApiVersion } from '../kernel/api-version.ts';
import { CostAdmission } from './cost-admission.ts';
import { schemaOfVersion } from './earlier-versions.ts';
import { createEngine, type Engine } from './engine.ts';
import { managementSchema } from './schema.ts';

/** The engine of each version, made at the first request of the version. All share one admission of expensive queries. */
export function createEngines(admission = new CostAdmission()): (version: ApiVersion) => Engine {
  const made = new Map<string, Engine>();
  return (version) => {
    const known = made.get(version.name);
    if (known !== undefined) return known;
    const engine = createEngine(schemaOfVersion(managementSchema(), version), admission);
    made.set(version.name, engine);
    return engine;
  };
}
