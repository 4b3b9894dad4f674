#!/usr/bin/env node
// Starts Placard under any Node.js from version 20 on: an older one than 26 hands over to the one that comes as a dependency.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const nodeMajorMin = 26;
// A package from the registry has the compiled program, a clone its source.
const source = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const main = existsSync(source) ? source : fileURLToPath(new URL('../lib/main.js', import.meta.url));

function findNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const candidates = [];
  try {
    const require = createRequire(import.meta.url);
    candidates.push(join(dirname(require.resolve('node/package.json')), 'bin', name));
  } catch {
    // Not installed as a dependency: the locations below may still have it.
  }
  candidates.push(fileURLToPath(new URL(`../node_modules/node/bin/${name}`, import.meta.url)));
  candidates.push(fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url)));
  return candidates.find((candidate) => existsSync(candidate));
}

function handOver(node) {
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    // Ctrl-C reaches the child by itself: a second copy would count as a second signal.
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.once('error', (error) => {
    console.error(`placard: cannot run ${node}: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    process.exit(signal === null ? code : 128 + (constants.signals[signal] ?? 0));
  });
}

if (Number(process.versions.node.split('.')[0]) >= nodeMajorMin) {
  process.argv[1] = main;
  await import(pathToFileURL(main).href);
} else {
  const node = findNode();
  if (node === undefined) {
    console.error(
      `placard: it needs Node.js ${nodeMajorMin} or newer (this is ${process.versions.node}), and its own copy is missing. Run "npm ci" in the project's folder, or install Node.js ${nodeMajorMin}.`,
    );
    process.exit(1);
  }
  handOver(node);
}
