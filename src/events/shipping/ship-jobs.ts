/** One job, retried until it succeeds. */
export interface Job {
  /** Unique while it waits. */
  readonly id: string;
  run(): Promise<void>;
}

/** Jobs, each made when it is taken. */
export type JobList = Iterable<Job> | AsyncIterable<Job>;

/**
 * Returns a function that takes the next job. Several callers may take at once: each begins its job before the next one is made, because
 * the batches that are being inserted decide whether another one is due.
 */
export function acquireInTurn(jobs: JobList): () => Promise<IteratorResult<Job>> {
  const iterator = eachOf(jobs);
  let turn: Promise<unknown> = Promise.resolve();
  return () => {
    const taken = turn.then(() => iterator.next());
    turn = taken;
    return taken;
  };
}

async function* eachOf(jobs: JobList): AsyncGenerator<Job> {
  yield* jobs;
}
