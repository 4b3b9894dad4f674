import type { PostgresPool, PostgresPoolClient } from 'kysely';

/** The members of a connection of the driver that {@link refuseOpenTransactions} uses. */
interface DriverClient {
  /** @param isBroken the pool destroys the connection */
  release: (isBroken?: boolean) => void;
  /** The status that the server sent last: `I` outside of a transaction, `T` inside, `E` inside one that failed; null before the first. */
  getTransactionStatus(): string | null;
}

const IDLE = 'I';

/** A pool that destroys a connection whose transaction did not end: the next caller would work inside that transaction. */
export function refuseOpenTransactions(pool: PostgresPool): PostgresPool {
  return {
    end: () => pool.end(),
    connect: async () => {
      const client = (await pool.connect()) as unknown as DriverClient;
      // The driver's pool sets `release` each time that it lends the connection.
      const release = client.release.bind(client);
      client.release = () => release((client.getTransactionStatus() ?? IDLE) !== IDLE);
      return client as unknown as PostgresPoolClient;
    },
  };
}
