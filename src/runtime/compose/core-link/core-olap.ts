import type { ViaCore } from '../../../storage/sql/node-call.ts';
import { olapDialect } from '../../../storage/olap/olap-dialect.ts';
import { type Olap, OlapError, type OlapInsert } from '../../../storage/olap/olap.ts';
import { type CoreLink, toOlapError } from './core-link.ts';

/** The analytics store behind a core: inserts, and what is a call of its own. No statement goes that way. */
export class CoreOlap implements Olap, ViaCore {
  readonly dialect = olapDialect(null);
  readonly #link: CoreLink;

  constructor(link: CoreLink) {
    this.#link = link;
  }

  async viaCore(name: string, args: readonly unknown[]): Promise<unknown> {
    return this.#link.viaCore(name, args).catch((error: unknown) => {
      throw toOlapError(error);
    });
  }

  async insertRaw(insert: OlapInsert): Promise<void> {
    await this.#link.insertRows(insert).catch((error: unknown) => {
      throw toOlapError(error);
    });
  }

  async ping(): Promise<void> {
    await this.viaCore('events.insertsSince', [Date.now()]);
  }

  query(): Promise<never> {
    return Promise.reject(notHere());
  }

  queryWithMeta(): Promise<never> {
    return Promise.reject(notHere());
  }

  stream(): AsyncIterable<Buffer> {
    throw notHere();
  }

  command(): Promise<never> {
    return Promise.reject(notHere());
  }

  kill(): Promise<never> {
    return Promise.reject(notHere());
  }

  async close(): Promise<void> {
    // The link is closed by its owner.
  }
}

function notHere(): OlapError {
  return new OlapError('invalid_query', 'This node reaches only a core, which takes no statements', {
    retryable: false,
  });
}
