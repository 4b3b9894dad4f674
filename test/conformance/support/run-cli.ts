import { runPlacard } from '../../support/placard-process.ts';

/** Runs `placard … --json` on a data folder; returns its output. @throws Error with its output when it fails */
export async function runCli<T>(dataDir: string, args: readonly string[]): Promise<T> {
  const { code, out, err } = await runPlacard([...args, '--json'], { PLACARD_DATA: dataDir });
  if (code === 0) return JSON.parse(out) as T;
  throw new Error(`placard ${args.join(' ')} ended with ${code}: ${err}`);
}
