/**
 * `npm run pin-images`: asks the registry, through the container tool of this machine (skopeo, crane or docker with buildx), for the
 * digest of every image in images.env, and writes it there behind the tag. `npm run pin-images -- --check` changes nothing and fails
 * when an image has no digest: for the pipeline of a release. `--file <path>` names another file than images.env.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

const LINE = /^([A-Z]+_IMAGE)=([a-z0-9./-]+:[\w.-]+)(@sha256:[0-9a-f]{64})?$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const TIMEOUT_MS = 60_000;

/** How each tool tells the digest of a tag, that of the list of platforms where there is one. */
const TOOLS: readonly (readonly [string, (image: string) => string[]])[] = [
  ['skopeo', (image) => ['inspect', '--no-tags', '--format', '{{.Digest}}', `docker://${image}`]],
  ['crane', (image) => ['digest', image]],
  ['docker', (image) => ['buildx', 'imagetools', 'inspect', '--format', '{{.Manifest.Digest}}', image]],
];

const fileAt = process.argv.indexOf('--file');
const file = (fileAt < 0 ? undefined : process.argv[fileAt + 1]) ?? 'images.env';
const lines = readFileSync(file, 'utf8').trimEnd().split('\n');

function readDigest(image: string): string {
  const failures: string[] = [];
  for (const [tool, args] of TOOLS) {
    try {
      const options = { encoding: 'utf8', timeout: TIMEOUT_MS, stdio: 'pipe' } as const;
      const digest = execFileSync(tool, args(image), options).trim();
      if (DIGEST.test(digest)) return digest;
      failures.push(`${tool} printed no digest`);
    } catch (error) {
      failures.push(`${tool}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`);
    }
  }
  throw new Error(`The digest of ${image} could not be read. ${failures.join('; ')}`);
}

function pin(line: string): string {
  if (line.startsWith('#')) return line;
  const match = LINE.exec(line);
  if (match === null) throw new Error(`${file}: this line names no image: ${line}`);
  return `${match[1]}=${match[2]}@${readDigest(match[2] ?? '')}`;
}

if (process.argv.includes('--check')) {
  const unpinned = lines.filter((line) => !line.startsWith('#') && LINE.exec(line)?.[3] === undefined);
  for (const line of unpinned) console.log(`${file}: no digest: ${line}`);
  process.exitCode = unpinned.length > 0 ? 1 : 0;
} else {
  const pinned = lines.map(pin);
  writeFileSync(`${file}.new`, `${pinned.join('\n')}\n`);
  renameSync(`${file}.new`, file);
  for (const line of pinned.filter((one) => !one.startsWith('#'))) console.log(line);
}
