/** `node scripts/write-openapi.ts`: writes contract/openapi.json. A test says when it is behind its source. */
import { writeFileSync } from 'node:fs';
import { readVersion } from '../src/config/version.ts';
import { buildOpenApi } from '../src/docs/openapi.ts';

writeFileSync(
  new URL('../contract/openapi.json', import.meta.url),
  `${JSON.stringify(buildOpenApi(readVersion()), null, 2)}\n`,
);
