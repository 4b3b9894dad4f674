/** `node sdk/tag/build.ts`: writes tag.min.js, the file that delivery serves as `/tag.js`. A test says when it is behind its source. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const HEAD = '/*! Placard page tag, Apache-2.0 */\n';

/** The tag as one minified script. */
export async function buildTag(): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('src/tag.ts', import.meta.url)),
    platform: 'browser',
    transform: { target: 'es2022' },
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  return `${HEAD}${output[0].code.trim()}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('tag.min.js', import.meta.url), await buildTag());
}
