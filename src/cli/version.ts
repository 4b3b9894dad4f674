import { readFileSync } from 'node:fs';
import type { CliCommand } from './cli-context.ts';

/** The version of Placard, from its package.json. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** `placard version`. */
export const versionCommand: CliCommand = {
  name: 'version',
  register: (program, context) => {
    program
      .command('version')
      .description('Show the versions of Placard, Node and the operating system.')
      .action((_options, command) => {
        const facts = {
          placard: readVersion(),
          node: process.versions.node,
          platform: `${process.platform}-${process.arch}`,
        };
        context.print(command, facts, [`placard ${facts.placard} (Node.js ${facts.node}, ${facts.platform})`]);
      });
  },
};
