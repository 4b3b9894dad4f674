/** A worker that claims requests as fast as it can, beside others; reports the order that it saw, and which requests are its own. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLAIM } from '../../src/delivery/serving/retries/claim-record.ts';
import type { ClaimId } from '../../src/delivery/serving/retries/claim-record.ts';
import { ClaimLog } from '../../src/delivery/serving/retries/claim-log.ts';
import { ClaimTable } from '../../src/delivery/serving/retries/claim-table.ts';

const [dir = '', worker = '0', workers = '1', claims = '1'] = process.argv.slice(2);
const owner = Number(worker);
const table = new ClaimTable(8_192);
const order = createHash('sha256');
let seen = 0;
/** Our last claim, and the entry that was valid for its digest when its record arrived. */
let own: ClaimId = { owner, sequence: 0 };
let entry = 0;
const log = new ClaimLog({
  dir,
  nowMs: Date.now,
  onRecord: (records, at) => {
    seen += 1;
    order.update(`${records.owner(at)}/${records.sequence(at)} `);
    const applied = table.apply(records, at);
    // Records that others append before we read follow ours in the same read.
    if (records.isClaim(at, own.owner, own.sequence)) entry = applied;
  },
});
// All workers begin together.
await new Promise<void>((resolve) => process.once('message', () => resolve()));
const won: number[] = [];
for (let sequence = 1; sequence <= Number(claims); sequence += 1) {
  own = { owner, sequence };
  const digest = `request ${sequence}`.padEnd(16, '.').slice(0, 16);
  log.append({ kind: CLAIM, digest, timeMs: 1_000_000, idHash: 0, claim: own, former: null });
  if (table.isClaim(entry, own)) won.push(sequence);
}
while (seen < Number(claims) * Number(workers)) {
  await sleep(5);
  log.catchUp();
}
process.send?.({ order: order.digest('hex'), won });
process.disconnect?.();
