import type { StepResult } from './run-storyboard.ts';

/** The page that shows how the storyboards ended, with the reason of each step that does not apply. */
export function renderResults(results: readonly StepResult[]): string {
  const byStoryboard = [...Map.groupBy(results, ({ storyboard }) => storyboard)];
  const count = (steps: readonly StepResult[], result: string) => steps.filter((one) => one.result === result).length;
  const rows = byStoryboard.map(
    ([name, steps]) =>
      `| ${name} | ${count(steps, 'passed')} | ${count(steps, 'failed')} | ${count(steps, 'not_applicable')} | ${reasonsOf(steps)} |`,
  );
  const total = ['passed', 'failed', 'not_applicable'].map((result) => count(results, result));
  return [
    '# Storyboards of the Ad Context Protocol',
    '',
    'Results of the compliance storyboards of AdCP 3.1 against [the seller](selling-to-agents.md) of a started service, step by step.',
    'This page is written by `ADCP_CASES=<folder> npx vitest run --config vitest.long.config.ts test/adcp -u`.',
    '',
    `${total[0]} steps passed, ${total[1]} failed, ${total[2]} do not apply.`,
    '',
    '| Storyboard | Passed | Failed | Not applicable | Why not applicable |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function reasonsOf(steps: readonly StepResult[]): string {
  const reasons = steps.flatMap(({ result, reasons: [first = ''] }) => (result === 'not_applicable' ? [first] : []));
  return [...new Set(reasons)].map((one) => one.replaceAll('|', '/').slice(0, 160)).join('; ');
}
