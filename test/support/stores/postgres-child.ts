import { rmSync } from 'node:fs';
import { SILENT_LOG } from '../../../src/domain/log/log.ts';
import { startEmbeddedPostgres } from '../../../src/storage/sql/embedded-postgres.ts';

// The PostgreSQL of a test run, in the folder of its first argument, until its parent ends.
const dataDir = process.argv[2];
if (dataDir === undefined || process.send === undefined) throw new Error('forked by test/support/global-setup.ts');
process.on('SIGINT', () => undefined);
// Data of a test need not survive a power cut.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };
const server = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG, settings });
const stop = (): void => {
  server
    .stop()
    .then(() => rmSync(dataDir, { recursive: true, force: true }))
    .then(
      () => process.exit(0),
      () => process.exit(1),
    );
};
process.once('disconnect', stop);
if (process.connected) process.send({ url: server.url, ownerUrl: server.ownerUrl });
else stop();
