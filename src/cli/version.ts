import { readVersion } from '../config/version.ts';
import type { CliCommand } from './context/cli-context.ts';

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
