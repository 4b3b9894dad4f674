/**
 * `node scripts/sum-tests.ts <folder> <passed steps> <failed steps> <skipped steps>`: sums the vitest JSON reports in a folder, with the steps outside of
 * vitest. It first prints the slowest files and what failed, so that the end of a long log says it: each failed test of the reports with its first messages,
 * and each file `*.failed` that a failed step left. The last line is `N passed, N failed, N skipped`. A report that is missing or
 * broken counts as a failure by its caller. Exit code 1 when anything failed or nothing passed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

interface TestResult {
  readonly status: string;
  readonly fullName: string;
  readonly failureMessages?: readonly string[];
}

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly TestResult[];
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly FileResult[];
}

const SLOWEST = 20;

/** Keeps a failure readable and the sum of them short. */
function beginning(text: string): string {
  const lines = text.split('\n').slice(0, 12);
  return lines.map((line) => `    ${line.slice(0, 300)}`).join('\n');
}

/** A file that could not be read has no tests; where its preparation fails, all of them are skipped. */
function isFailedOutside({ status, assertionResults }: FileResult): boolean {
  return status === 'failed' && assertionResults.every((test) => test.status !== 'failed');
}

function failuresOf(file: FileResult): string[] {
  const tests = file.assertionResults.filter((test) => test.status === 'failed');
  const title = `  ${basename(file.name)}`;
  if (isFailedOutside(file)) return [`${title}\n${beginning(file.message)}`];
  return tests.map((test) => `${title} > ${test.fullName}\n${beginning((test.failureMessages ?? []).join('\n'))}`);
}

/** Where the time of a run went: its slowest files, each with its seconds. */
function slowestOf(files: readonly FileResult[]): string {
  const lasted = files.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }));
  return lasted
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST)
    .map(({ name, seconds }) => `${seconds.toFixed(0).padStart(5)} s  ${basename(name)}\n`)
    .join('');
}

const [folder = '.', passedSteps = '0', failedSteps = '0', skippedSteps = '0'] = process.argv.slice(2);
let [passed, failed, skipped] = [Number(passedSteps), Number(failedSteps), Number(skippedSteps)];
const failures: string[] = [];
const files: FileResult[] = [];
for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
  const report = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Report;
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  failed += report.testResults.filter(isFailedOutside).length;
  skipped += report.numPendingTests + report.numTodoTests;
  failures.push(...report.testResults.flatMap(failuresOf));
  files.push(...report.testResults);
}
for (const name of readdirSync(folder).filter((one) => one.endsWith('.failed'))) {
  failures.push(`  ${readFileSync(join(folder, name), 'utf8').trimEnd()}`);
}
console.log(`slowest files:\n${slowestOf(files)}`);
if (failures.length > 0) console.log(`failed:\n${failures.join('\n')}`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
