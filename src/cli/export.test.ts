import { existsSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSettings } from '../config/settings.ts';
import { PlacardError } from '../domain/errors.ts';
import { createExportWorld, HOUR_MS, START_MS } from '../events/fixtures/export-world.ts';
import { startSignedBucket } from '../storage/fixtures/signed-bucket.ts';
import { silentLog } from '../../test/support/stores.ts';
import { type CliContext, UsageError } from './context/cli-context.ts';
import { exportCommand } from './export.ts';

let world: Awaited<ReturnType<typeof createExportWorld>>;

beforeAll(async () => {
  world = await createExportWorld();
  await world.store([{ event_id: 'a' }, { event_id: 'b', workspace_id: 2, afterMs: HOUR_MS }]);
});
afterAll(() => world.close());

/** Runs the command on the stores of this test. */
async function run(args: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  const printed: string[] = [];
  const context: CliContext = {
    modulePath: '',
    settings: () => readSettings({ PLACARD_DATA: join(world.dir, 'data'), ...env }),
    log: () => silentLog,
    print: (_command, _value, lines) => void printed.push(...lines),
    withStores: (_needs, work) => work(world.addresses),
  };
  const program = new Command('placard').exitOverride().configureOutput({ writeErr: () => undefined });
  exportCommand.register(program, context);
  for (const command of program.commands) command.copyInheritedSettings(program);
  await program.parseAsync(['export', ...args], { from: 'user' });
  return printed;
}

const DAY = ['--from', '2026-11-01', '--to', '2026-11-02'];
const files = (dir: string): string[] => globSync('**/*.parquet', { cwd: dir }).sort();

describe('placard export', () => {
  test('the command exports a range of one network into a folder, and says what it wrote', async () => {
    const out = join(world.dir, 'out');
    const [line] = await run([...DAY, '--network', '1000', '--out', out]);
    expect(line).toMatch(/^1 events exported in 1 files \(\d+ bytes\) of 1 hours to /);
    expect(files(out)).toEqual(['production/1000/events/date=2026-11-01/hour=10/events-00000.parquet']);
    expect((await run([...DAY, '--network', '1000', '--out', out]))[0]).toMatch(/^0 events exported in 0 files/);
  });

  test('the command exports all networks into the folder of the settings', async () => {
    const dir = join(world.dir, 'configured');
    await run(DAY, { PLACARD_EXPORT_DIR: dir });
    expect(files(dir)).toHaveLength(2);
    const until = new Date(START_MS + HOUR_MS).toISOString().slice(0, 13);
    await run(['--from', until, '--to', '2026-11-02T00:00:00Z', '--out', join(world.dir, 'part')]);
    expect(files(join(world.dir, 'part'))).toEqual([
      'production/2000/events/date=2026-11-01/hour=11/events-00000.parquet',
    ]);
  });

  test.each([
    ['an empty range', ['--from', '2026-11-02', '--to', '2026-11-01', '--out', 'x'], UsageError, /later than --from/],
    ['a day that does not exist', ['--from', '2026-02-30'], CommanderError, /Write an hour in UTC/],
    ['a part of an hour', ['--from', '2026-11-01T10:30'], CommanderError, /Write an hour in UTC/],
    ['a network that is a path', [...DAY, '-n', '../1'], CommanderError, /id of a network/],
    ['an unknown network', [...DAY, '-n', '77', '--out', '/tmp/none'], UsageError, /no network 77/],
    ['no target', DAY, UsageError, /Say where to/],
  ])('the command refuses %s', async (_title, args, kind, message) => {
    const error: unknown = await run(args).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(kind);
    expect((error as Error).message).toMatch(message);
    expect(existsSync('/tmp/none')).toBe(false);
  });

  test('the command names the bucket that refuses, and its status', async () => {
    const keys = { accessKeyId: 'AKIAEXAMPLE', secretKey: 'secret', region: 'eu-central-1' };
    const bucket = await startSignedBucket(keys);
    const env = {
      PLACARD_EXPORT_S3_URL: bucket.url,
      PLACARD_EXPORT_S3_REGION: keys.region,
      PLACARD_S3_ACCESS_KEY_ID: keys.accessKeyId,
    };
    const error: unknown = await run(DAY, { ...env, PLACARD_EXPORT_S3_SECRET_KEY: 'other' }).catch(
      (thrown: unknown) => thrown,
    );
    expect((error as Error).message).toMatch(/^The export to http.* stopped: .* status 403\.$/);
    expect(bucket.objects.size).toBe(0);
    await run(DAY, { ...env, PLACARD_EXPORT_S3_SECRET_KEY: keys.secretKey });
    expect([...bucket.objects.keys()].filter((name) => name.endsWith('.parquet'))).toHaveLength(2);
    bucket.close();
  });

  test('the command names the folder that it cannot write', async () => {
    const blocked = join(world.dir, 'a-file');
    writeFileSync(blocked, '');
    const error: unknown = await run([...DAY, '--out', join(blocked, 'sub')]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PlacardError);
    expect((error as Error).message).toMatch(/^The export to .*a-file\/sub stopped: The folder .* cannot be used/);
  });
});
