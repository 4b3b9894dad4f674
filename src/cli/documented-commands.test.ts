/** The parser of the command line takes each `placard …` of the pages and of the files for operators. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { makeProgram } from './program.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = ['README.md', 'SECURITY.md', 'docs', 'deploy'];

/** What may stand before the command: settings, and programs that run it. */
const COMMAND_LINE =
  /^(?:[A-Z_]+=\S+ |until |npx |node |docker compose .* node )*(?:placard|bin\/placard\.mjs) ([a-z-].*)$/g;

/** The sub-command that a command means by an argument alone. */
const WITHOUT_NAME: Readonly<Record<string, string>> = { backup: 'create' };

function filesOf(path: string): string[] {
  if (statSync(join(ROOT, path)).isFile()) return [path];
  // Decision records tell of their time.
  const names = readdirSync(join(ROOT, path)).filter((name) => name !== 'adr');
  return names.flatMap((name) => filesOf(join(path, name)));
}

interface Mention {
  readonly page: string;
  readonly line: string;
  /** In a block of commands, where a line is whole; in prose it may be a command's name alone. */
  readonly isWhole: boolean;
}

function mentionsIn(page: string): Mention[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = [...text.matchAll(/^```(?:sh|bash)\b.*\n([\s\S]*?)^```$/gm)].flatMap(([, body = '']) =>
    body.replaceAll(/\\\n */g, '').split('\n'),
  );
  const whole = blocks.flatMap((line) => [...line.matchAll(COMMAND_LINE)]);
  const named = [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`(?:npx )?placard ([a-z-][^`\n]*)`/g)];
  return [
    ...whole.map(([, line = '']) => ({ page, line, isWhole: true })),
    ...named.map(([, line = '']) => ({ page, line, isWhole: false })),
  ];
}

/** The words of a command line, up to a comment or the next command. */
function wordsOf(line: string): string[] {
  const [own = ''] = line.split(/ #|[|;&>)]/, 1);
  return own.match(/"[^"]*"|'[^']*'|<[^>]*>|\S+/g) ?? [];
}

/** What is wrong with a command line; null: nothing. */
function problemOf(program: Command, { line, isWhole }: Mention): string | null {
  let command = program;
  const words = wordsOf(line);
  while (command.commands.length > 0 && words.length > 0) {
    const [name = ''] = words;
    const next = command.commands.find((one) => one.name() === name || one.aliases().includes(name));
    const other = next ?? command.commands.find((one) => one.name() === WITHOUT_NAME[command.name()]);
    if (other === undefined) return command === program && name.startsWith('-') ? null : `no command ${name}`;
    command = other;
    if (next === undefined) break;
    words.shift();
  }
  if (isWhole && command.commands.length > 0) return 'no sub-command';
  let positional = 0;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const [flag = ''] = word.split('=', 1);
    if (!/^--?[a-z]/.test(word)) positional += 1;
    else {
      const option = command.options.find(({ long, short }) => long === flag || short === flag);
      if (option === undefined && flag !== '--help') return `no option ${flag}`;
      if (option?.required === true && flag === word) index += 1;
    }
  }
  const { registeredArguments } = command;
  const [min, max] = [registeredArguments.filter(({ required }) => required).length, registeredArguments.length];
  if (isWhole && positional < min) return `${positional} of ${min} arguments`;
  return positional > max && registeredArguments.at(-1)?.variadic !== true ? `${positional} arguments` : null;
}

test('each command line of the pages has a command, options and arguments that exist', () => {
  const program = makeProgram('');
  const mentions = PAGES.flatMap(filesOf).flatMap(mentionsIn);
  expect(mentions.length).toBeGreaterThan(100);
  const wrong = mentions.flatMap((mention) => {
    const problem = problemOf(program, mention);
    return problem === null ? [] : [`${mention.page}: placard ${mention.line}: ${problem}`];
  });
  expect(wrong).toEqual([]);
});
