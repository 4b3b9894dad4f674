#!/usr/bin/env node
/** `npx placard-prebid <folder>`: copies the adapter into the source folder of a Prebid.js that is built afterwards. */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILES = [
  'modules/placardBidAdapter.js',
  'modules/placardBidAdapter.md',
  'metadata/modules/placardBidAdapter.json',
];
const own = fileURLToPath(new URL('.', import.meta.url));
const [folder] = process.argv.slice(2);

function isPrebid(path) {
  const manifest = join(path, 'package.json');
  return (
    existsSync(manifest) &&
    JSON.parse(readFileSync(manifest, 'utf8')).name === 'prebid.js' &&
    existsSync(join(path, 'src')) &&
    existsSync(join(path, 'metadata/modules'))
  );
}

if (folder === undefined || !isPrebid(folder)) {
  console.error('Usage: placard-prebid <folder with the source of Prebid.js 10 or newer>');
  process.exitCode = 2;
} else {
  for (const file of FILES) copyFileSync(join(own, file), join(folder, file));
  console.log(`Copied. Build with: npx gulp build --modules=placardBidAdapter`);
}
