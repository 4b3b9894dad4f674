/** `npm run test:cluster`: a whole cluster under load and faults, and a comparison of all that it counted. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findRedisServer } from '../support/stores/redis-servers.ts';
import { openTestRun } from '../support/test-run.ts';
import { randomOf } from '../torture/random.ts';
import { CLUSTER_FAULTS } from './cluster-faults.ts';
import { playCluster } from './cluster-rounds.ts';
import { Cluster } from './cluster.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    faults: { type: 'string' },
    users: { type: 'string', default: '4' },
    /** No fault begins later than this many seconds after the start. */
    seconds: { type: 'string', default: '330' },
    keep: { type: 'boolean', default: false },
  },
});

const redisBinary = findRedisServer();
if (redisBinary === null) {
  console.log('SKIPPED: the cluster test needs a redis-server or valkey-server on the PATH; there is none');
  process.exit(0);
}
const names = values.faults?.split(',').map((one) => one.trim()) ?? Object.keys(CLUSTER_FAULTS);
const unknown = names.filter((name) => !Object.hasOwn(CLUSTER_FAULTS, name));
if (unknown.length > 0)
  throw new Error(`Unknown: ${unknown.join(', ')}. There are: ${Object.keys(CLUSTER_FAULTS).join(', ')}`);
const seed = Number(values.seed);

const endRun = await openTestRun();
const dir = mkdtempSync(join(tmpdir(), 'cluster-'));
// As root, PostgreSQL runs as another account, which needs access to the folder.
chmodSync(dir, 0o755);
let isRight = false;
let cluster: Cluster | null = null;

async function finish(): Promise<void> {
  await cluster?.end();
  if (values.keep) console.log(`kept: ${dir}`);
  else rmSync(dir, { recursive: true, force: true });
  if (!values.keep) await endRun();
}

for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    finish().then(
      () => process.exit(1),
      () => process.exit(1),
    );
  });

try {
  console.log(`seed ${seed}, ${names.length} faults, stores of the run's own`);
  cluster = await Cluster.prepare(dir, redisBinary);
  isRight = await playCluster({
    cluster,
    dir,
    faults: CLUSTER_FAULTS,
    names,
    untilMs: Number(values.seconds) * 1_000,
    users: Number(values.users),
    faultRandom: randomOf(seed),
    loadRandom: randomOf(seed + 1),
  });
} catch (error) {
  console.error(error);
} finally {
  await finish().catch((error: unknown) => {
    console.error(error);
    isRight = false;
  });
}
console.log(isRight ? 'nothing was lost, nothing was counted twice' : 'FAILED');
process.exit(isRight ? 0 : 1);
