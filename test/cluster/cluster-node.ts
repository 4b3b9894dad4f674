import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSameProcessRunning } from '../../src/runtime/supervisor/process-identity.ts';
import { type ChildRecord, readChildren, readEndpoints } from '../../src/runtime/supervisor/run-files.ts';
import { createClient } from '../support/http-client.ts';
import type { FaultProxy } from '../support/fault-proxy.ts';
import { makeDataDir, type PlacardProcess, removeDataDir, startPlacard } from '../support/placard-process.ts';
import { signal } from '../torture/tortured-server.ts';

/** Its part of the cluster. */
export type NodeRole = 'core' | 'delivery';

/** One `placard serve` of a cluster, with a data folder of its own. */
export class ClusterNode {
  readonly name: string;
  readonly role: NodeRole;
  readonly dataDir = makeDataDir();
  /** Between this node and PostgreSQL. */
  readonly postgres: FaultProxy;
  readonly settings: Readonly<Record<string, string>>;
  readonly #logDir: string;
  #process: PlacardProcess | null = null;

  constructor(of: {
    readonly name: string;
    readonly role: NodeRole;
    readonly settings: Readonly<Record<string, string>>;
    readonly postgres: FaultProxy;
    readonly logDir: string;
  }) {
    this.name = of.name;
    this.role = of.role;
    this.postgres = of.postgres;
    this.settings = of.settings;
    this.#logDir = of.logDir;
  }

  /**
   * Resolves when it says that it is ready.
   * @param more settings of this start alone
   * @param mainPath another program than that of this tree
   */
  async start(more: Readonly<Record<string, string>> = {}, mainPath?: string): Promise<void> {
    this.saveLog();
    this.#process = await startPlacard({
      dataDir: this.dataDir,
      args: ['--role', this.role],
      env: { ...this.settings, ...more },
      demoHistory: 'none',
      ...(mainPath === undefined ? {} : { mainPath }),
    });
  }

  get running(): PlacardProcess {
    if (this.#process === null) throw new Error(`${this.name} was not started`);
    return this.#process;
  }

  /** Its own address, past the balancer. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get port(): number {
    const endpoints = readEndpoints(this.dataDir);
    return (this.role === 'core' ? endpoints?.corePort : endpoints?.deliveryPort) ?? 0;
  }

  /** Whether `/readyz` is 200. */
  async isReady(): Promise<boolean> {
    const client = createClient(null);
    try {
      return (await client.send(`${this.url}/readyz`)).status === 200;
    } catch {
      return false;
    } finally {
      client.close();
    }
  }

  /** Running children whose name begins so: `core`, `delivery`. */
  children(name: string): ChildRecord[] {
    return readChildren(this.dataDir)
      .filter((child) => child.name.startsWith(name))
      .filter(isSameProcessRunning);
  }

  /** Ends it in order. */
  async stop(): Promise<void> {
    await this.#process?.stop();
  }

  /** `kill -9` of the supervisor alone: its processes stop by themselves. */
  async killSupervisor(): Promise<void> {
    await this.#process?.kill();
  }

  /** `kill -9` of all of its processes, as the loss of a machine. */
  async killAll(): Promise<void> {
    const children = this.children('');
    const ended = this.#process?.kill();
    for (const { pid } of children) signal(pid, 'SIGKILL');
    await ended;
    // A worker may have been started in between.
    for (const { pid } of this.children('delivery')) signal(pid, 'SIGKILL');
  }

  /** Adds what it printed since its start to the log of the run. */
  saveLog(): void {
    if (this.#process !== null) appendFileSync(join(this.#logDir, `${this.name}.log`), this.#process.output());
  }

  /** Ends whatever is left of it. */
  async end(): Promise<void> {
    await this.stop();
    this.saveLog();
    for (const { pid } of this.children('')) signal(pid, 'SIGKILL');
  }

  removeData(): Promise<void> {
    return removeDataDir(this.dataDir);
  }
}
