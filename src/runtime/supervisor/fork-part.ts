import { type ChildProcess, fork } from 'node:child_process';
import { childEnvironment, childNodeArguments } from '../../config/child-environment.ts';
import type { PartRole } from './part.ts';

/** Which process to fork. */
export interface ForkPartOptions {
  readonly role: PartRole;
  /** The program that is forked, with the arguments `child --role <role>`. */
  readonly modulePath: string;
  readonly dataDir: string;
  /** Descriptor of the socket that it listens on, which becomes its `LISTEN_FD`; null: it opens its own. */
  readonly socketFd: number | null;
}

/** Forks a process that waits for its start message. Its output goes to standard error. */
export function forkPart({ role, modulePath, dataDir, socketFd }: ForkPartOptions): ChildProcess {
  return fork(modulePath, ['child', '--role', role], {
    stdio: ['ignore', 2, 2, 'ipc', ...(socketFd === null ? [] : [socketFd])],
    env: childEnvironment(role, dataDir),
    execArgv: childNodeArguments(role),
  });
}
