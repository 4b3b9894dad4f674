/** The PostgreSQL of a cluster test, in the folder of its first argument, until its parent ends. The parent has it killed and restarted. */
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { startEmbeddedPostgres } from '../../src/storage/sql/embedded-postgres.ts';

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined || process.send === undefined) throw new Error('forked by test/cluster/own-stores.ts');
process.on('SIGINT', () => undefined);
const start = () => startEmbeddedPostgres({ dataDir, log: SILENT_LOG, settings: { max_connections: '200' } });
let server = await start();

const tell = (): void => {
  process.send?.({ url: server.url, ownerUrl: server.ownerUrl });
};
async function end(how: 'stop' | 'kill'): Promise<void> {
  if (how === 'stop') await server.stop();
  else process.kill(server.pid, 'SIGKILL');
  await server.exited;
}
function fail(error: unknown): void {
  console.error(error);
  process.exit(1);
}

process.on('message', (how: 'stop' | 'kill') => {
  end(how)
    .then(async () => {
      server = await start();
      tell();
    })
    .catch(fail);
});
process.once('disconnect', () => {
  server.stop().then(() => process.exit(0), fail);
});
tell();
