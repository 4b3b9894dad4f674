import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isSameProcessRunning } from './process-identity.ts';
import { readChildren, readEndpoints } from './run-files.ts';

const serveFile = fileURLToPath(new URL('fixtures/serve.ts', import.meta.url));
let dataDir: string;
let runs: Run[];

/** One `serve` under test. */
class Run {
  readonly process: ChildProcess;
  readonly exited: Promise<number | null>;
  output = '';

  constructor(env: Record<string, string> = {}, role = 'all') {
    this.process = spawn(process.execPath, [serveFile, role], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        PLACARD_DATA: dataDir,
        PLACARD_WORKERS: '2',
        PLACARD_DRAIN_SECONDS: '0',
        PLACARD_CORE_PORT: '0',
        PLACARD_DELIVERY_PORT: '0',
        PLACARD_TLS: 'loopback',
        PLACARD_LOG_FORMAT: 'json',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.process.stderr?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.exited = new Promise((resolve) => this.process.once('exit', resolve));
    runs.push(this);
  }

  async ready(): Promise<this> {
    await until(
      () => this.output.includes('READY'),
      () => this.output,
    );
    return this;
  }
}

async function until(holds: () => boolean, explain: () => string = () => ''): Promise<void> {
  const untilMs = performance.now() + 120_000;
  while (!holds()) {
    if (performance.now() > untilMs) throw new Error(`it did not happen in 120 s: ${holds.toString()}\n${explain()}`);
    await sleep(20);
  }
}

function events(): string[] {
  const path = join(dataDir, 'events.log');
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
}

/** The events of a log, without pids and addresses. */
function story(): string[] {
  return events().map((line) => line.split(' ').slice(0, 3).join(' '));
}

/** The quota of objects that a part saw last. */
function lastLimit(role: string): number {
  const path = join(dataDir, `objects-${role}`);
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
}

function pidOf(name: string): number {
  return readChildren(dataDir).find((child) => child.name === name)?.pid ?? 0;
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'placard-supervisor-'));
  runs = [];
});

afterEach(async () => {
  for (const run of runs) run.process.kill('SIGKILL');
  for (const child of readChildren(dataDir)) if (isSameProcessRunning(child)) process.kill(child.pid, 'SIGKILL');
  await Promise.all(runs.map((run) => run.exited));
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

describe('starting and stopping', () => {
  test('parts start in order, readiness is reported once, and SIGTERM stops them in order with exit code 0', async () => {
    const run = await new Run().ready();
    expect(
      story()
        .filter((line) => line.startsWith('ready'))
        .slice(0, 2),
    ).toEqual(['ready analytics 0', 'ready core 0']);
    expect(run.output.match(/READY .*/g)).toEqual(['READY ["core says hello","delivery says hello"]']);
    expect(readEndpoints(dataDir)?.corePublicUrl).toMatch(/^http:\/\/localhost:\d+$/);
    expect(statSync(join(dataDir, 'run', 'endpoints.json')).mode & 0o777).toBe(0o600);
    const children = readChildren(dataDir);
    expect(children.map((child) => child.name)).toEqual(['delivery 0', 'delivery 1', 'core', 'analytics', 'postgres']);

    run.process.kill('SIGTERM');
    expect(await run.exited).toBe(0);
    const stops = story().filter((line) => line.startsWith('stop'));
    // Worker 0 has the hot store open, which the others use.
    expect(stops.slice(0, 4).toSorted()).toEqual([
      'stopped core 0',
      'stopped delivery 1',
      'stopping core 0',
      'stopping delivery 1',
    ]);
    expect(stops.slice(4)).toEqual([
      'stopping delivery 0',
      'stopped delivery 0',
      'stopping analytics 0',
      'stopped analytics 0',
    ]);
    expect(children.filter(isSameProcessRunning)).toEqual([]);
    expect(
      ['placard.pid', 'run/endpoints.json', 'run/children.json'].filter((name) => existsSync(join(dataDir, name))),
    ).toEqual([]);
  });

  test('workers of a first start begin beside the core, and wait for it', async () => {
    await new Run().ready();
    const seen = story();
    for (const worker of ['delivery 0', 'delivery 1']) {
      expect(seen.indexOf(`start ${worker}`)).toBeGreaterThan(seen.indexOf('ready analytics 0'));
      expect(seen.indexOf(`ready ${worker}`)).toBeGreaterThan(seen.indexOf('ready core 0'));
    }
  });

  test('a stop during a start ends everything with exit code 0', async () => {
    writeFileSync(join(dataDir, 'slow-core'), '');
    const run = new Run();
    await until(() => story().includes('start core 0'));
    run.process.kill('SIGINT');
    expect(await run.exited).toBe(0);
    expect(story()).toContain('stopped analytics 0');
    expect(run.output).not.toContain('READY');
  });

  test('a part that does not stop is killed after its time limit', async () => {
    writeFileSync(join(dataDir, 'hang-core'), '');
    const run = await new Run().ready();
    run.process.kill('SIGTERM');
    expect(await run.exited).toBe(0);
    expect(run.output).toMatch(/process\.stop_timeout|process\.killed/);
    expect(story()).toContain('stopped analytics 0');
  });

  test('a second signal shortens the wait for the processes, and they are killed', async () => {
    writeFileSync(join(dataDir, 'hang-core'), '');
    writeFileSync(join(dataDir, 'hang-delivery'), '');
    const run = await new Run({ TEST_STAGE_MS: '600000' }).ready();
    run.process.kill('SIGINT');
    await until(() => story().includes('stopping delivery 1'));
    run.process.kill('SIGINT');
    expect(await run.exited).toBe(0);
  });
});

describe('restarting', () => {
  test('a killed worker is started again while the others keep running', async () => {
    const run = await new Run().ready();
    const [worker, other, core] = [pidOf('delivery 0'), pidOf('delivery 1'), pidOf('core')];
    process.kill(worker, 'SIGKILL');
    await until(() => ![worker, 0].includes(pidOf('delivery 0')));
    await until(() => story().filter((line) => line === 'ready delivery 0').length === 2);
    expect([pidOf('delivery 1'), pidOf('core')]).toEqual([other, core]);
    expect(run.output.match(/READY/g)).toHaveLength(1);
  });

  test('the parts are restarted when PostgreSQL comes back at another address', async () => {
    await new Run().ready();
    const analytics = pidOf('analytics');
    process.kill(pidOf('postgres'), 'SIGKILL');
    const moved = (what: string) =>
      events().some((line) => line.startsWith(`ready ${what}`) && line.endsWith('/start-2'));
    await until(
      () => moved('core 0') && moved('delivery 0') && moved('delivery 1'),
      () => events().join('\n'),
    );
    expect(readEndpoints(dataDir)?.postgresUrl).toMatch(/start-2$/);
    expect(pidOf('analytics')).toBe(analytics);
  });

  test('a part that cannot start ends the service with exit code 1 and its reason', async () => {
    writeFileSync(join(dataDir, 'crash-core'), '');
    const run = new Run();
    expect(await run.exited).toBe(1);
    expect(run.output).toContain('the core has its reasons');
    expect(story().filter((line) => line === 'start core 0')).toHaveLength(3);
    expect(story()).toContain('stopped analytics 0');
    expect(story().some((line) => line.startsWith('ready delivery'))).toBe(false);
  });

  test('a part that reports that it is still starting gets more time than the others', async () => {
    writeFileSync(join(dataDir, 'migrating-core'), '');
    await new Run({ TEST_READY_MS: '5000' }).ready();
    expect(story().filter((line) => line === 'start core 0')).toHaveLength(1);
  });

  test.each(['analytics', 'core'])(
    'the %s that was ready is started again for ever, and workers keep running',
    async (part) => {
      await new Run().ready();
      const workers = [pidOf('delivery 0'), pidOf('delivery 1')];
      writeFileSync(join(dataDir, `crash-${part}`), '');
      process.kill(pidOf(part), 'SIGKILL');
      const starts = () => story().filter((line) => line === `start ${part} 0`).length;
      await until(() => starts() > 12);
      rmSync(join(dataDir, `crash-${part}`));
      await until(() => story().at(-1) === `ready ${part} 0`);
      expect([pidOf('delivery 0'), pidOf('delivery 1')]).toEqual(workers);
    },
  );

  test('SIGHUP replaces the workers one after the other', async () => {
    const run = await new Run().ready();
    const before = events().length;
    run.process.kill('SIGHUP');
    await until(() => story().slice(before).at(-1) === 'ready delivery 1');
    const steps = ['stopping', 'stopped', 'start', 'ready'];
    expect(story().slice(before)).toEqual(
      ['delivery 0', 'delivery 1'].flatMap((part) => steps.map((step) => `${step} ${part}`)),
    );
  });

  test('SIGHUP reads the settings file again: what may change takes effect, the rest is named, and a bad file changes nothing', async () => {
    const file = join(dataDir, 'settings.env');
    const write = (...lines: readonly string[]): void => writeFileSync(file, lines.join('\n'));
    write('PLACARD_LOG_LEVEL=info');
    const run = await new Run({ PLACARD_SETTINGS_FILE: file }).ready();
    const lines = () => run.output.split('\n');
    const logged = (code: string) => lines().filter((line) => line.includes(`"${code}"`));
    const rounds = () => story().filter((line) => line === 'ready delivery 1').length;
    const reload = async (): Promise<void> => {
      const before = rounds();
      run.process.kill('SIGHUP');
      await until(
        () => rounds() > before,
        () => run.output,
      );
    };

    write('PLACARD_LOG_LEVEL=info', 'PLACARD_OBJECTS=1234', 'PLACARD_WORKERS=4');
    await reload();
    expect(JSON.parse(logged('settings.reloaded')[0] ?? '')).toMatchObject({ names: ['PLACARD_OBJECTS'] });
    expect(JSON.parse(logged('settings.need_restart')[0] ?? '')).toMatchObject({ names: ['PLACARD_WORKERS'] });
    await until(() => lastLimit('core') === 1_234);
    expect(lastLimit('delivery')).toBe(1_234);

    write('PLACARD_LOG_LEVEL=info', 'PLACARD_OBJECTS=5678', 'PLACARD_DRAIN_SECONDS=soon');
    await reload();
    const [refused = ''] = logged('settings.not_reloaded');
    expect(refused).toContain(`PLACARD_DRAIN_SECONDS: line 3 of ${file}: write a whole number`);
    expect(lastLimit('delivery')).toBe(1_234);

    write('PLACARD_LOG_LEVEL=error', 'PLACARD_OBJECTS=1234');
    const reloads = logged('service.reloading').length;
    await reload();
    // The signal itself comes before the new level.
    expect(logged('service.reloading')).toHaveLength(reloads + 1);
    await reload();
    expect(logged('service.reloading')).toHaveLength(reloads + 1);
  });

  test('SIGHUP again and again makes at most one further round of replacements wait', async () => {
    const run = await new Run().ready();
    // The first round takes seconds: all further signals come meanwhile.
    writeFileSync(join(dataDir, 'hang-delivery'), '');
    for (let times = 1; times <= 6; times += 1) {
      run.process.kill('SIGHUP');
      await until(() => run.output.split('service.reloading').length - 1 === times);
    }
    rmSync(join(dataDir, 'hang-delivery'));
    const rounds = () => story().filter((line) => line === 'start delivery 1').length - 1;
    await until(() => rounds() === 2 && story().at(-1) === 'ready delivery 1');
    const before = events().length;
    // A third round would begin at once.
    process.kill(pidOf('core'), 'SIGKILL');
    await until(() => story().slice(before).includes('ready core 0'));
    expect(
      story()
        .slice(before)
        .filter((line) => line.includes('delivery')),
    ).toEqual([]);
  });

  test('SIGTERM makes all parts drain first, and a second signal ends the drain', async () => {
    const run = await new Run({ PLACARD_DRAIN_SECONDS: '300' }).ready();
    run.process.kill('SIGTERM');
    const drained = () => story().filter((line) => line.startsWith('draining'));
    await until(() => drained().length === 3);
    expect(story().some((line) => line.startsWith('stopping'))).toBe(false);
    run.process.kill('SIGTERM');
    expect(await run.exited).toBe(0);
    expect(story()).toContain('stopped delivery 1');
  });
});

describe('starting from the disk', () => {
  async function runBefore(): Promise<void> {
    const run = await new Run().ready();
    run.process.kill('SIGTERM');
    expect(await run.exited).toBe(0);
    rmSync(join(dataDir, 'events.log'));
    writeFileSync(join(dataDir, 'snapshot'), '');
  }

  test('workers start first, and hear that the core is up, where an earlier run left a snapshot', async () => {
    await runBefore();
    await new Run().ready();
    await until(() => story().filter((line) => line.startsWith('core-up')).length === 2);
    const seen = story();
    const readyOf = (part: string) => seen.indexOf(`ready ${part}`);
    expect(Math.max(readyOf('delivery 0'), readyOf('delivery 1'))).toBeLessThan(seen.indexOf('start analytics 0'));
    expect(readyOf('core 0')).toBeLessThan(seen.indexOf('core-up delivery 0'));
    expect(seen.filter((line) => line === 'start delivery 0')).toHaveLength(1);
  });

  test('workers keep running while neither PostgreSQL nor the core starts, and both are tried again', async () => {
    await runBefore();
    for (const name of ['no-postgres', 'crash-core']) writeFileSync(join(dataDir, name), '');
    const run = new Run();
    const failures = (event: string) => run.output.split(event).length - 1;
    await until(() => failures('"postgres.start_failed"') >= 2);
    rmSync(join(dataDir, 'no-postgres'));
    await until(() => story().filter((line) => line === 'start core 0').length >= 4);
    expect(story().filter((line) => line.startsWith('start delivery'))).toHaveLength(2);
    expect(story().some((line) => line.startsWith('core-up'))).toBe(false);
    rmSync(join(dataDir, 'crash-core'));
    await run.ready();
  });

  test('a worker that cannot use the disk waits for the core, and a stop ends it at once', async () => {
    await runBefore();
    writeFileSync(join(dataDir, 'waiting-delivery'), '');
    const run = await new Run({ TEST_ADS_FIRST_MS: '600000' }).ready();
    expect(story().indexOf('ready core 0')).toBeLessThan(story().indexOf('ready delivery 0'));
    run.process.kill('SIGTERM');
    expect(await run.exited).toBe(0);
    writeFileSync(join(dataDir, 'no-postgres'), '');
    const second = new Run({ TEST_STAGE_MS: '600000' });
    await until(() => second.output.includes('"postgres.start_failed"'));
    second.process.kill('SIGTERM');
    expect(await second.exited).toBe(0);
  });
});

describe('one instance a data folder', () => {
  test('a second serve is refused and says which process holds the folder', async () => {
    const first = await new Run().ready();
    const second = new Run();
    expect(await second.exited).toBe(2);
    expect(second.output).toContain(`in use by a running placard (process ${first.process.pid})`);
    expect(existsSync(join(dataDir, 'placard.pid'))).toBe(true);
  });

  test('all parts end when the supervisor is killed, and a new start begins with the workers', async () => {
    writeFileSync(join(dataDir, 'snapshot'), '');
    const first = await new Run().ready();
    const left = readChildren(dataDir).filter(({ name }) => name !== 'postgres');
    first.process.kill('SIGKILL');
    await until(() => !left.some(isSameProcessRunning));
    const parts = ['core', 'analytics', 'delivery 0', 'delivery 1'];
    expect(story().filter((line) => line.startsWith('stopped '))).toHaveLength(parts.length);
    const before = events().length;
    await new Run().ready();
    const starts = story()
      .slice(before)
      .filter((line) => line.startsWith('start '));
    expect(starts.slice(0, 2).toSorted()).toEqual(['start delivery 0', 'start delivery 1']);
  });

  test('a leftover process of an earlier run that does not end is killed before the new start', async () => {
    writeFileSync(join(dataDir, 'hang-delivery'), '');
    const first = await new Run().ready();
    const left = readChildren(dataDir);
    first.process.kill('SIGKILL');
    await until(() => ['core', 'analytics'].every((part) => story().includes(`stopped ${part} 0`)));
    expect(left.some(isSameProcessRunning)).toBe(true);
    const startsBefore = story().filter((line) => line.startsWith('start ')).length;
    await new Run().ready();
    expect(left.filter(isSameProcessRunning)).toEqual([]);
    expect(story().filter((line) => line.startsWith('start ')).length).toBe(startsBefore + 4);
  });

  test('a lock of a process whose pid now belongs to another process is taken over', async () => {
    writeFileSync(join(dataDir, 'placard.pid'), JSON.stringify({ pid: process.pid, identity: 'another-boot:1' }));
    await new Run().ready();
  });
});

describe('refusing to start', () => {
  test('the error about a taken port names its setting, even when the port could be shared', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen({ port: 0, host: '127.0.0.1', reusePort: true }, resolve));
    const address = taken.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const run = new Run({ PLACARD_DELIVERY_PORT: port });
    expect(await run.exited).toBe(2);
    expect(run.output).toContain(`Port ${port} cannot be used`);
    expect(run.output).toContain('PLACARD_DELIVERY_PORT');
    expect(existsSync(join(dataDir, 'placard.pid'))).toBe(false);
    taken.close();
  });

  test('a part alone needs its stores by address', async () => {
    const run = new Run({ PLACARD_POSTGRES_URL: 'postgres://127.0.0.1/x' }, 'delivery');
    expect(await run.exited).toBe(2);
    expect(run.output).toContain('set PLACARD_CLICKHOUSE_URL, PLACARD_REDIS_URL');
  });

  test('a part alone starts nothing else', async () => {
    const stores = {
      PLACARD_POSTGRES_URL: 'postgres://127.0.0.1/x',
      PLACARD_CLICKHOUSE_URL: 'http://127.0.0.1:1',
      PLACARD_REDIS_URL: 'redis://127.0.0.1:1',
    };
    await new Run(stores, 'core').ready();
    expect(readChildren(dataDir).map((child) => child.name)).toEqual(['core']);
  });
});
