/** Something that runs until it is stopped. */
interface Running {
  stop(): unknown;
}

/** Stops them one after the other. Null: that one never ran. */
export async function stopInOrder(running: readonly (Running | null)[]): Promise<void> {
  for (const one of running) await one?.stop();
}
