/** Does the work of one workspace one after the other, and that of different workspaces side by side. */
export class WorkspaceTurns {
  readonly #last = new Map<number, Promise<unknown>>();

  /**
   * Waits for the turn of the workspace.
   * @param signal gives up the turn
   * @throws what the work throws, and the signal's reason
   */
  async run<T>(workspaceId: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const made = (this.#last.get(workspaceId) ?? Promise.resolve()).then(() => {
      signal?.throwIfAborted();
      return work();
    });
    const ended = made.catch(() => {});
    this.#last.set(workspaceId, ended);
    try {
      return await made;
    } finally {
      if (this.#last.get(workspaceId) === ended) this.#last.delete(workspaceId);
    }
  }
}
