/**
 * The environment that a part of the program is started with: this process's own, and for the analytics store a larger thread pool,
 * because each statement that runs holds one of libuv's threads (4 by default) until it is done.
 */
export function childEnvironment(role: string): NodeJS.ProcessEnv {
  const own = process.env;
  return role === 'analytics' ? { UV_THREADPOOL_SIZE: '16', ...own } : own;
}
