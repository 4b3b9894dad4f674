/** `node sdk/tag/build.ts`: writes the files that delivery serves as `/tag.js` and `/gpt.js`. A test says when a file is behind its source. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** The scripts, each with its entry and its first line. */
const SCRIPTS = {
  'tag.min.js': { entry: 'src/tag.ts', title: 'Placard page tag' },
  'gpt.min.js': { entry: 'src/gpt/gpt.ts', title: 'Placard page tag with the calls of GPT' },
} as const;
/** A script that the tag's package has. */
export type TagScript = keyof typeof SCRIPTS;
export const TAG_SCRIPTS = Object.keys(SCRIPTS) as TagScript[];

/** A script, minified. */
export async function buildTag(script: TagScript): Promise<string> {
  const { entry, title } = SCRIPTS[script];
  const bundle = await rolldown({
    input: fileURLToPath(new URL(entry, import.meta.url)),
    platform: 'browser',
    transform: { target: 'es2022' },
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  return `/*! ${title}, Apache-2.0 */\n${output[0].code.trim()}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const script of TAG_SCRIPTS) writeFileSync(new URL(script, import.meta.url), await buildTag(script));
}
