#!/usr/bin/env node
// @ts-check
// `placard health` for checks every few seconds: JavaScript, because removing the types of TypeScript takes longer than the check. Needs
// Node.js 26 and PLACARD_DATA.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

const TIMEOUT_MS = 4_000;
/**
 * The ports of the parts that listen.
 * @type {Readonly<Record<string, 'corePort' | 'deliveryPort'>>}
 */
const LISTENING = { core: 'corePort', jobs: 'corePort', delivery: 'deliveryPort' };

/**
 * What a part says of itself.
 * @typedef {{ readonly name: string, readonly ok: boolean, readonly detail: string }} HealthFinding
 */

/** @typedef {{ readonly host: string, readonly port: number, readonly path: string }} Address */

/**
 * Asks each part that runs in a data folder for `/readyz` or `/healthz`. Nothing runs: no findings.
 * @param {string} dataDir
 * @param {'/readyz' | '/healthz'} path
 * @returns {Promise<HealthFinding[]>}
 */
export async function askProcesses(dataDir, path) {
  const endpoints = readRunFile(dataDir, 'endpoints.json');
  /** @type {{ name: string, pid: number }[] | null} */
  const children = readRunFile(dataDir, 'children.json');
  if (endpoints === null || children === null) return [];
  const running = children.filter(({ pid }) => isRunning(pid)).map(({ name }) => ({ name, part: partOf(name) }));
  // Workers that do not serve yet count as delivery, too: a machine whose workers have all died is not ready.
  const parts = [...new Set(running.map(({ part }) => part))].filter((part) => part in LISTENING);
  const asked = parts.map(async (name) => {
    const address = { host: hostOf(endpoints.bind), port: endpoints[LISTENING[name] ?? ''], path };
    const detail = await askStatus(address).then((status) => `${path} is ${status}`, String);
    return { name, ok: detail === `${path} is 200`, detail };
  });
  const others = running.filter(({ part }) => !(part in LISTENING));
  return [...(await Promise.all(asked)), ...others.map(({ name }) => ({ name, ok: true, detail: 'runs' }))];
}

/**
 * What src/runtime/supervisor/run-files.ts writes; null when there is no such file.
 * @param {string} dataDir
 * @param {string} name
 */
function readRunFile(dataDir, name) {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'run', name), 'utf8'));
  } catch {
    return null;
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as another user.
    return codeOf(error) === 'EPERM';
  }
}

/** @param {string} process */
function partOf(process) {
  return process.split(' ', 1)[0] ?? '';
}

/**
 * An address of this machine that the servers listen on.
 * @param {string} bind
 */
function hostOf(bind) {
  if (bind === '0.0.0.0') return '127.0.0.1';
  return bind === '::' ? 'localhost' : bind;
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/**
 * In plain text, as where a balancer ends TLS. A server with TLS of its own responds 403 to that.
 * @param {Address} address
 */
async function askStatus(address) {
  const status = await statusBy(connect, address);
  return status === 403 ? statusBy(process.getBuiltinModule('node:tls').connect, address) : status;
}

/**
 * The status of the response, 0 for anything else. A client of HTTP takes twice the processor time of the whole check.
 * @param {(options: { host: string, port: number, rejectUnauthorized: boolean }, connected: () => void) => import('node:net').Socket} open
 * @param {Address} address
 * @returns {Promise<number>} Rejects when there is no response in time.
 */
function statusBy(open, { host, port, path }) {
  return new Promise((resolve, reject) => {
    // The certificate names the public address, not this machine.
    const socket = open({ host, port, rejectUnauthorized: false }, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    );
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no response in ${TIMEOUT_MS} ms`)));
    socket.once('data', (head) => {
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(head.toString('latin1'))?.[1] ?? 0));
      socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed without a response')));
  });
}

if (import.meta.main) {
  const path = process.argv.includes('--live') ? '/healthz' : '/readyz';
  const findings = await askProcesses(process.env['PLACARD_DATA'] ?? 'data', path);
  for (const { name, ok, detail } of findings) console.log(`${ok ? 'ok' : 'FAILED'} ${name} ${detail}`);
  if (findings.length === 0) console.log('Placard does not run in this data folder.');
  process.exitCode = findings.length > 0 && findings.every(({ ok }) => ok) ? 0 : 1;
}
