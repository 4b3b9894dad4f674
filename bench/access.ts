/**
 * The cost of authentication and limits on the ad path: the same handler bare and guarded, in one process, with a known key and a valid
 * lease. Needs no store: the directory is read from the copy on disk. Run: `node bench/access.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SILENT_LOG } from '../src/domain/log/log.ts';
import { newApiKeyValue } from '../src/access/keys/api-key.ts';
import { DirectoryFile } from '../src/access/keys/directory-file.ts';
import { createAccessService } from '../src/access/access-service.ts';
import { digestSecret } from '../src/access/secrets/secret-text.ts';
import type { HttpReply, HttpRequest } from '../src/http/shared/route.ts';
import { openLedger } from '../src/storage/ledger/ledger-store.ts';
import { loadSecrets } from '../src/storage/secrets.ts';
import { openPostgres } from '../src/storage/sql/postgres.ts';

const ROUNDS = 7;
const CALLS = 100_000;

const dataDir = mkdtempSync(join(tmpdir(), 'placard-bench-'));
const log = SILENT_LOG;
const secrets = loadSecrets(dataDir);
const hot = openLedger({ dir: join(dataDir, 'hot'), nowMs: Date.now, log: SILENT_LOG });
// Nothing listens there: the copy on disk is all there is.
const sql = openPostgres({ url: 'postgres://nobody@127.0.0.1:1/none', log, poolMax: 1, statementTimeoutMs: 1_000 });
const value = newApiKeyValue('production');
await new DirectoryFile(dataDir, 'bench', secrets.pepper).write({
  asOfMs: Date.now(),
  workspaces: [
    { workspaceId: 1, networkId: '1000', environment: 'production', status: 'ACTIVE', limits: { ads: 1_000_000_000 } },
  ],
  keys: [
    {
      id: '1',
      workspaceId: 1,
      name: 'bench',
      digest: digestSecret(secrets.pepper, 'api-key', value).toString('hex'),
      prefix: '',
      permission: 'read-only',
      modules: ['DELIVERY'],
      ipAllowlist: [],
      expiresAtMs: null,
      revokedAtMs: null,
    },
  ],
  pairs: [],
});
const service = createAccessService({
  sql: sql.db,
  hot,
  secrets,
  dataDir,
  log,
  processName: 'bench',
  processes: 1,
  nowMs: Date.now,
});
await service.start();

const reply: HttpReply = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"ads":[]}' };
const handler = (): HttpReply => reply;
const route = { method: 'POST', pattern: '/api/v1/ads', name: 'ads', handler } as const;
const guarded = service.guardRoute({ ...route, operation: 'ads.request' }, 'production');
const request: HttpRequest = {
  method: 'POST',
  path: '/api/v1/ads',
  query: '',
  headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
  body: Buffer.from('{}'),
  startedMs: performance.now(),
  remoteAddress: '192.0.2.1',
  requestId: 'bench',
  protocolSecure: true,
  params: {},
  hasLeft: () => false,
};

async function microsecondsPerCall(run: (request: HttpRequest) => HttpReply | Promise<HttpReply>): Promise<number> {
  const startMs = performance.now();
  for (let count = 0; count < CALLS; count += 1) {
    const result = run(request);
    const admitted = result instanceof Promise ? await result : result;
    if (admitted.status !== 200)
      throw new Error(`The handler responded with ${admitted.status}: ${String(admitted.body)}`);
  }
  return ((performance.now() - startMs) * 1_000) / CALLS;
}

const overheads: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const bare = await microsecondsPerCall(route.handler);
  overheads.push((await microsecondsPerCall((one) => guarded.handler(one))) - bare);
}
overheads.sort((a, b) => a - b);
console.log(
  `authentication, permission and limit: ${overheads[Math.floor(ROUNDS / 2)]?.toFixed(1)} µs a request (median of ${ROUNDS} rounds of ${CALLS})`,
);
await service.stop();
await sql.close();
await hot.close();
rmSync(dataDir, { recursive: true, force: true });
