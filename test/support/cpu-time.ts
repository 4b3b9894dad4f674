/** CPU time of this thread that a call takes, in milliseconds, whether it succeeds or fails. A busy machine does not lengthen it much. */
export async function cpuMsOf(call: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await Promise.allSettled([Promise.try(call)]);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
