import { ApiProblem } from './problem.ts';

/** Asks the signed-in person to prove who they are; false when they would rather not. */
export type Asker = () => Promise<boolean>;

let asker: Asker | null = null;

/** Sets who asks: the dialog of the page that is shown; null: nobody. */
export function setAsker(next: Asker | null): void {
  asker = next;
}

/**
 * Makes a request. Where the server wants a fresh proof of who this is, asks for it, then makes the request once more.
 *
 * @throws ApiProblem as the request does; `verification_required` when the person did not want to
 */
export async function askingAgain<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const isAsked = error instanceof ApiProblem && error.code === 'verification_required';
    if (!isAsked || asker === null || !(await asker())) throw error;
    return request();
  }
}
