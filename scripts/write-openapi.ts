/** `node scripts/write-openapi.ts`: writes contract/openapi.json, and the Python client's module of it. Tests say when they are behind. */
import { writeFileSync } from 'node:fs';
import { readVersion } from '../src/config/version.ts';
import { buildOpenApi } from '../src/docs/openapi.ts';
import { type OpenApi, writePythonRest } from './sdk/python-rest.ts';

const text = `${JSON.stringify(buildOpenApi(readVersion()), null, 2)}\n`;
writeFileSync(new URL('../contract/openapi.json', import.meta.url), text);
writeFileSync(new URL('../sdk/python/placard/rest.py', import.meta.url), writePythonRest(JSON.parse(text) as OpenApi));
