/** `node src/docs/write-contract.ts`: writes contract/openapi.json. A test says when it is behind its source. */
import { writeFileSync } from 'node:fs';
import { buildOpenApi } from './openapi.ts';

writeFileSync(new URL('../../contract/openapi.json', import.meta.url), `${JSON.stringify(buildOpenApi(), null, 2)}\n`);
