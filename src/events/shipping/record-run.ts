/** Told of each batch that was sent: when it began, epoch milliseconds, and whether it failed. Must not throw. */
export type RecordRun = (name: string, startedMs: number, failed: boolean) => void;

/** Runs `work` and reports the run to `record`. */
export async function recorded<Result>(
  record: RecordRun | undefined,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedMs = Date.now();
  let failed = true;
  try {
    const result = await work();
    failed = false;
    return result;
  } finally {
    record?.(name, startedMs, failed);
  }
}
