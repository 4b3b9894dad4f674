#!/usr/bin/env node
// `placard health` for checks every few seconds: it loads nothing of the program but the question. Needs Node.js 26 and PLACARD_DATA.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = new URL('../src/cli/health/ask-processes.ts', import.meta.url);
const asks = existsSync(fileURLToPath(source))
  ? source
  : new URL('../lib/cli/health/ask-processes.js', import.meta.url);
const { askProcesses } = await import(asks.href);
const findings = await askProcesses(
  process.env['PLACARD_DATA'] ?? 'data',
  process.argv.includes('--live') ? '/healthz' : '/readyz',
);
for (const { name, ok, detail } of findings) console.log(`${ok ? 'ok' : 'FAILED'} ${name} ${detail}`);
if (findings.length === 0) console.log('Placard does not run in this data folder.');
process.exitCode = findings.length > 0 && findings.every(({ ok }) => ok) ? 0 : 1;
