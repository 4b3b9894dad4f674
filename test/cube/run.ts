/**
 * `npm run test:cube`: tries the Cube cases (CUBE_CASES=<file>, or the ones in test/cases/cube) and prints what passed, by group.
 * Fails on any case that does not pass and is not listed in departures.ts with its reason.
 */
import { readFileSync } from 'node:fs';
import { openCaseBench } from './case-bench.ts';
import { runCase, type CubeCase } from './case-runner.ts';
import { DEPARTURES } from './departures.ts';

interface CaseFile {
  readonly fixture: { readonly rows: readonly string[] };
  readonly cases: readonly CubeCase[];
}

const path = process.env['CUBE_CASES'] ?? new URL('../cases/cube/cube-cases.json', import.meta.url).pathname;
const file = JSON.parse(readFileSync(path, 'utf8')) as CaseFile;
const bench = await openCaseBench(file.fixture.rows);
const groups = new Map<string, { passed: number; departed: number; failed: number }>();
let failedCount = 0;
for (const one of file.cases) {
  const group = groups.get(one.group) ?? { passed: 0, departed: 0, failed: 0 };
  groups.set(one.group, group);
  const { passed, actual } = await runCase(one, bench);
  const reason = DEPARTURES[one.id];
  if (passed && reason === undefined) group.passed += 1;
  else if (!passed && reason !== undefined) group.departed += 1;
  else {
    group.failed += 1;
    failedCount += 1;
    const why = passed ? 'listed as a departure, but passes' : 'failed';
    console.log(`${one.id} ${why}: ${one.name}\n  input    ${JSON.stringify(one.input)}`);
    console.log(`  expected ${JSON.stringify(one.expected)}\n  actual   ${JSON.stringify(actual)}`);
  }
}
await bench.close();
for (const [name, { passed, departed, failed }] of groups) {
  console.log(`${name.padEnd(14)} ${passed} passed, ${departed} departures, ${failed} failed`);
}
console.log(
  failedCount === 0
    ? `All ${file.cases.length} cases are as expected.`
    : `${failedCount} of ${file.cases.length} cases are not.`,
);
process.exit(failedCount === 0 ? 0 : 1);
