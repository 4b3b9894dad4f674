import type { Command } from 'commander';
import { parseInstant } from './access-session.ts';
import { type CliCommand, UsageError } from './cli-context.ts';

/** Every worker has read the file again by then. */
const SIGNS_AFTER_MS_MIN = 120_000;

/** `placard links`: the keys that sign tracking and click links. */
export const linksCommand: CliCommand = {
  name: 'links',
  register: (program, context) => {
    program
      .command('links')
      .description('Manage the keys that sign tracking and click links.')
      .command('rotate')
      .description('Add a key that starts to sign later. Old keys verify until their last link has expired (31 days).')
      .option(
        '--signs-from <when>',
        'when it starts to sign; workers load it within a minute',
        parseInstant,
        parseInstant('10m'),
      )
      .action(async ({ signsFrom }: { signsFrom: Date | null }, command: Command) => {
        if (signsFrom === null || signsFrom.getTime() < Date.now() + SIGNS_AFTER_MS_MIN)
          throw new UsageError('--signs-from is at least 2m: every worker must know the key before one signs with it.');
        const { rotateLinkKeys } = await import('../storage/link-keys.ts');
        const { loadSecrets } = await import('../storage/secrets.ts');
        const { dataDir } = context.settings();
        loadSecrets(dataDir);
        const rotation = rotateLinkKeys(dataDir, signsFrom.getTime(), Date.now());
        const from = new Date(rotation.signsFromMs).toISOString();
        const removed =
          rotation.removed.length === 0
            ? []
            : [`Removed, because all their links have expired: ${rotation.removed.join(', ')}.`];
        context.print(command, { ...rotation, signsFrom: from }, [
          `Key ${rotation.keyId} signs links from ${from}.`,
          ...removed,
          'With several machines: copy secrets/link-keys of the data folder to each of them before that time.',
        ]);
      });
  },
};
