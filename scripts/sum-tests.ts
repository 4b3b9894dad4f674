/**
 * `node scripts/sum-tests.ts <folder> <extra failures>`: sums the vitest JSON reports in a folder, with what failed outside of
 * vitest, and prints `N passed, N failed, N skipped`. A report that is missing or broken counts as a failure by its caller.
 * Exit code 1 when anything failed or nothing passed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

const [folder = '.', extraPassed = '0', extraFailed = '0'] = process.argv.slice(2);
let [passed, failed, skipped] = [Number(extraPassed), Number(extraFailed), 0];
for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
  const report = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Report;
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  // A file that failed before its first test has no test to count.
  failed += report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  skipped += report.numPendingTests + report.numTodoTests;
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
