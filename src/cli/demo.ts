import { join } from 'node:path';
import { type CliCommand, UsageError } from './context/cli-context.ts';

/** `placard demo`: shows the demo network, or makes it again. */
export const demoCommand: CliCommand = {
  name: 'demo',
  register: (program, context) => {
    program
      .command('demo')
      .description('Show where the demo network is; with --reset, make it again.')
      .option('--reset', 'replace its booking, counts and keys by fresh ones')
      .action(async (options: { reset?: boolean }, command) => {
        const { dataDir } = context.settings();
        const { readDemoFile } = await import('../demo/demo-file.ts');
        const demo = options.reset === true ? await resetDemo() : readDemoFile(dataDir);
        if (demo === null)
          throw new UsageError('There is no demo network in this data folder; "placard demo --reset" makes it.');
        const { networkId, urls, account, adUnits } = demo;
        context.print(command, { networkId, urls, file: join(dataDir, 'demo.json') }, [
          `network    ${networkId}`,
          `bid        ${urls.adDecision}/${networkId}/bid`,
          `page       ${urls.base}/demo`,
          `account    ${account.email}`,
          `ad units   ${adUnits.map((unit) => unit.name).join(', ')}`,
          `the rest   ${join(dataDir, 'demo.json')}`,
        ]);
      });

    const resetDemo = async () => {
      const { reseedDemo } = await import('../runtime/compose/reseed-demo.ts');
      return context.withStores({ analytics: true }, (stores) =>
        reseedDemo({
          stores,
          settings: context.settings(),
          log: context.log(),
          onProgress: (text) => process.stderr.write(`${text}\n`),
        }),
      );
    };
  },
};
