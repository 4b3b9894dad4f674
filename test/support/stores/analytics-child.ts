import { randomBytes } from 'node:crypto';
import { createLog } from '../../../src/runtime/log/log.ts';
import { runAnalyticsServer } from '../../../src/storage/olap/analytics-process.ts';

// The analytics process of a test run: serves the folder of its first argument until its parent ends.
const dir = process.argv[2];
if (dir === undefined || process.send === undefined) throw new Error('forked by test/support/global-setup.ts');
const log = createLog({ logLevel: 'error', logFormat: 'json' }, 'analytics-child');
// Data of a test need not survive a power cut.
const server = await runAnalyticsServer({ dir, password: randomBytes(16).toString('hex'), isDurable: false, log });
process.once('disconnect', () => {
  server.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
process.send({ url: server.url });
