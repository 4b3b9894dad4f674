import type { CliCommand } from './context/cli-context.ts';
import { registerRotateLinkKeys } from './secrets.ts';

/** `placard links`: the keys that sign tracking and click links. */
export const linksCommand: CliCommand = {
  name: 'links',
  register: (program, context) => {
    const links = program.command('links').description('Manage the keys that sign tracking and click links.');
    registerRotateLinkKeys(links.command('rotate'), context);
  },
};
