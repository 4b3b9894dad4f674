import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PREBID_VERSION = (
  JSON.parse(readFileSync(join(ROOT, 'node_modules/prebid.js/package.json'), 'utf8')) as { version: string }
).version;
const CONSENT_AND_RENDERING = ['consentManagementTcf', 'nativeRendering', 'dsaControl'];

/**
 * Bundles Prebid.js from npm with modules of it (`das` → `prebid.js/modules/dasBidAdapter.js`, unmodified) and with files of ours.
 * Later runs take it from a cache in the system's temporary folder, by content.
 */
export async function bundlePrebid(modules: readonly string[], files: readonly string[] = []): Promise<string> {
  const imports = [...CONSENT_AND_RENDERING, ...modules].map((name) => `import 'prebid.js/modules/${name}.js';`);
  const own = files.map((file) => `import ${JSON.stringify(file)};`);
  const entry = ["import pbjs from 'prebid.js';", ...imports, ...own, 'pbjs.processQueue();'].join('\n');
  const key = createHash('sha256').update(PREBID_VERSION).update(entry);
  for (const file of files) key.update(readFileSync(file));
  const cached = join(tmpdir(), 'placard-prebid-bundles', `${key.digest('hex').slice(0, 24)}.js`);
  if (existsSync(cached)) return readFileSync(cached, 'utf8');
  const code = await bundleText(entry, files);
  mkdirSync(join(cached, '..'), { recursive: true });
  writeFileSync(cached, code);
  return code;
}

/** The folder of the compiled `src/` and `libraries/` in Prebid's package. */
const BUILT = join(ROOT, 'node_modules/prebid.js/dist/src');

/** A module of ours has the same imports as Prebid's own modules: `../src/`, `../libraries/`. */
async function bundleText(entry: string, files: readonly string[]): Promise<string> {
  const name = join(ROOT, 'prebid-entry.js');
  const bundle = await rolldown({
    input: name,
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id: string, importer: string | undefined) =>
          id === name
            ? id
            : importer !== undefined && files.includes(importer)
              ? join(BUILT, id.slice('../'.length))
              : null,
        load: (id: string) => (id === name ? entry : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  return output[0].code;
}
