import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { resolvePort } from '../runtime/supervisor/free-port.ts';
import type { Endpoints } from '../runtime/supervisor/part.ts';
import type { ProcessRecord } from '../runtime/supervisor/process-identity.ts';
import { describeError, type Finding, findFailure, findOk, findWarning } from './finding.ts';

const nodeMajorMin = 26;
const freeBytesMin = 200 * 1024 ** 2;
const freeBytesWanted = 2 * 1024 ** 3;
/** Before this date of the program itself no clock can be right. */
const clockEpochMin = Date.UTC(2026, 0, 1);

/** The version of Node.js. */
export function checkNode(): Finding {
  const version = process.versions.node;
  const message = `Node.js ${version}`;
  if (Number(version.split('.')[0]) >= nodeMajorMin) return findOk('node', message);
  return findFailure('node', message, `start it by bin/placard.mjs or npm, which bring Node.js ${nodeMajorMin}`);
}

/** Checks that the data folder is writable, belongs to this installation, and has free space. */
export function checkDataFolder(settings: Settings, holder: ProcessRecord | null): Finding[] {
  const { dataDir } = settings;
  const findings: Finding[] = [];
  const existing = findExisting(dataDir);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    findings.push(findOk('data folder', existing === dataDir ? dataDir : `${dataDir} (will be made)`));
  } catch {
    const advice = 'give this user the right to write there, or set PLACARD_DATA to another folder';
    findings.push(findFailure('data folder', `${existing} cannot be written`, advice));
  }
  if ((statSync(existing).mode & 0o002) !== 0 && existing === dataDir) {
    findings.push(findWarning('data folder', 'every user of this machine can write to it', `chmod o-w ${dataDir}`));
  }
  if (holder !== null) findings.push(findOk('instance', `placard runs here (process ${holder.pid})`));
  findings.push(checkSpace(existing));
  return findings;
}

function findExisting(path: string): string {
  let current = path;
  while (!existsSync(current) && dirname(current) !== current) current = dirname(current);
  return current;
}

function checkSpace(folder: string): Finding {
  const stats = statfsSync(folder);
  const freeBytes = stats.bavail * stats.bsize;
  const message = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB free`;
  const advice = 'free some space, or move the data folder: events are refused when the disk is full';
  if (freeBytes < freeBytesMin) return findFailure('disk', message, advice);
  return freeBytes < freeBytesWanted ? findWarning('disk', message, advice) : findOk('disk', message);
}

/** That the ports can be listened on, or are those of the running instance. */
export async function checkPorts(settings: Settings, running: Endpoints | null): Promise<Finding[]> {
  const ports = [
    { name: 'core port', port: settings.corePort, setting: 'PLACARD_CORE_PORT', own: running?.corePort },
    {
      name: 'delivery port',
      port: settings.deliveryPort,
      setting: 'PLACARD_DELIVERY_PORT',
      own: running?.deliveryPort,
    },
  ];
  const findings: Finding[] = [];
  for (const { name, port, setting, own } of ports) {
    if (own !== undefined) findings.push(findOk(name, `${own}, in use by the running instance`));
    else if (port === 0) findings.push(findOk(name, 'a free one is picked at each start'));
    else findings.push(await checkPort(name, port, { bind: settings.bind, setting }));
  }
  return findings;
}

async function checkPort(name: string, port: number, where: { bind: string; setting: string }): Promise<Finding> {
  try {
    await resolvePort(port, where.bind, where.setting);
    return findOk(name, `${port} is free`);
  } catch (error) {
    return findFailure(name, describeError(error), `free the port, or set ${where.setting} to another one`);
  }
}

/** That the clock is not grossly wrong: links, limits and keys all depend on it. */
export function checkClock(nowMs: number): Finding {
  const message = new Date(nowMs).toISOString();
  if (nowMs >= clockEpochMin) return findOk('clock', message);
  return findFailure('clock', `${message} is in the past`, 'set the clock, and keep it right with NTP');
}
