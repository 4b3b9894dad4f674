import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A block of commands of the page, and what they print. */
export interface Block {
  /** Line of the page. */
  readonly line: number;
  readonly machines: readonly string[];
  readonly text: string;
  /** Each one is found in the output on each machine. */
  readonly expected: readonly RegExp[];
}

/** The blocks of docs/operations/production.md that name machines behind `sh`, in order, each with the block of text behind it. */
export function readBlocks(root: string): Block[] {
  const page = readFileSync(join(root, 'docs/operations/production.md'), 'utf8');
  const found = page.matchAll(/^```sh ([a-z0-9 -]+)\n([\s\S]*?)^```$(?:\n\n```text\n([\s\S]*?)^```$)?/gm);
  return [...found].map(({ 1: machines = '', 2: text = '', 3: output = '', index }) => ({
    line: page.slice(0, index).split('\n').length,
    machines: machines.split(' '),
    text,
    expected: output.split('\n').filter(Boolean).map(toPattern),
  }));
}

/** The settings of ClickHouse on the page. */
export function readClickhouseSettings(root: string): string {
  const page = readFileSync(join(root, 'docs/operations/production.md'), 'utf8');
  const found = /^```xml\n([\s\S]*?)^```$/m.exec(page)?.[1];
  if (found === undefined) throw new Error('The page has no settings of ClickHouse');
  return found;
}

/** `…` matches any text within a line. */
function toPattern(line: string): RegExp {
  return new RegExp(
    line
      .split('…')
      .map((part) => RegExp.escape(part))
      .join('.*'),
  );
}
