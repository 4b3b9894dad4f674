import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { pickKeptPort, PortUnavailableError, resolvePort } from './free-port.ts';

test('kept ports are free, and lie below those that systems give to outgoing connections', async () => {
  const kept = Array.from({ length: 10 }, () => pickKeptPort('127.0.0.1', 'A_PORT'));
  // A port 0 of the settings, too: workers listen on it later, and again when they are restarted.
  const resolved = Array.from({ length: 10 }, () => resolvePort(0, '127.0.0.1', 'A_PORT'));
  const ports = await Promise.all([...kept, ...resolved]);
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_768);
    await expect(resolvePort(port, '127.0.0.1', 'A_PORT')).resolves.toBe(port);
  }
});

test('a port that another program listens on is refused by name', async () => {
  const other = createServer();
  const port = await pickKeptPort('127.0.0.1', 'A_PORT');
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  const refused = resolvePort(port, '127.0.0.1', 'A_PORT');
  await expect(refused).rejects.toThrow(PortUnavailableError);
  await expect(refused).rejects.toThrow('set A_PORT to another port');
  other.close();
});
