import { spawn, type ChildProcess } from 'node:child_process';

/** Characters of standard error that are kept. */
const SAID_MAX = 4_000;

/** This program in a process of its own: its memory and its work are not those of this process. */
export interface OwnProgram {
  readonly child: ChildProcess;
  /** The exit code; null: a signal ended it. @throws Error when it cannot be started, or the signal was aborted */
  readonly exited: Promise<number | null>;
  /** Standard output. */
  output(): string;
  /** The end of standard error. */
  said(): string;
}

/** @param command arguments for node: those that start this program, then its own */
export function startOwnProgram(
  command: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv; readonly signal?: AbortSignal } = {},
): OwnProgram {
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const written: string[] = [];
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => written.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-SAID_MAX)));
  const { promise: exited, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject).once('close', resolve);
  return { child, exited, output: () => written.join(''), said: () => said.trim() };
}

/** Runs `placard backup` as an operator would. @throws Error with what the command said */
export async function runBackupCommand(
  program: readonly string[],
  location: string,
  signal: AbortSignal,
): Promise<void> {
  const backup = startOwnProgram([...program, 'backup', 'create', location, '--json'], { signal });
  const code = await backup.exited;
  if (code !== 0) throw new Error(`placard backup ended with ${code}: ${backup.said()}`);
}
