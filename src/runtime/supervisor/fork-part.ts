import { type ChildProcess, fork } from 'node:child_process';
import { childEnvironment, childNodeArguments } from '../../config/child-environment.ts';
import type { PartRole } from './part.ts';

/** Which process to fork. */
export interface ForkPartOptions {
  readonly role: PartRole;
  /** A spare rehearses with the data folder at once, and waits without limit for its start message. */
  readonly isSpare: boolean;
  /** The program that is forked, with the arguments `child --role <role> [--spare <data folder>]`. */
  readonly modulePath: string;
  readonly dataDir: string;
}

/** Forks a process that waits for its start message. Its output goes to standard error. */
export function forkPart({ role, isSpare, modulePath, dataDir }: ForkPartOptions): ChildProcess {
  return fork(modulePath, ['child', '--role', role, ...(isSpare ? ['--spare', dataDir] : [])], {
    stdio: ['ignore', 2, 2, 'ipc'],
    env: childEnvironment(role, dataDir),
    execArgv: childNodeArguments(role),
  });
}
