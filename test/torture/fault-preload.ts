/**
 * Loaded into every process of a tortured server by `node --import`: makes syncs of spool files fail, steps the clock, and records how far
 * each spool file was synced, so that a power cut can be simulated. The torture run writes the instructions to a file.
 */
import { appendFileSync, readFileSync, readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { InjectedFaults } from './injected-faults.ts';

const dir = process.env['TORTURE_DIR'];
const READ_EVERY_MS = 50;

if (dir !== undefined) {
  let faults: InjectedFaults = { syncFails: false, clockOffsetMs: 0 };
  const read = (): void => {
    try {
      faults = JSON.parse(readFileSync(join(dir, 'faults.json'), 'utf8')) as InjectedFaults;
    } catch {
      // Half written, or not there yet: as before.
    }
  };
  read();
  setInterval(read, READ_EVERY_MS).unref();

  const realNow = Date.now.bind(Date);
  Date.now = () => realNow() + faults.clockOffsetMs;

  const probe = await open('/dev/null', 'r');
  const prototype = Object.getPrototypeOf(probe) as typeof probe;
  await probe.close();
  const realSync = prototype.datasync;
  prototype.datasync = async function datasync(this: typeof probe): Promise<void> {
    const path = readlinkSync(`/proc/self/fd/${this.fd}`);
    if (!path.endsWith('.open')) return realSync.call(this);
    if (faults.syncFails) throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    const { size } = await this.stat();
    await realSync.call(this);
    appendFileSync(join(dir, 'synced.log'), `${path} ${size}\n`);
  };
}
