import { createServer, type AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail that arrived. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly parsed: Email;
  readonly raw: string;
}

/** A real SMTP server on loopback that keeps what it takes. */
export interface SmtpInbox {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** Replies to the next messages with these errors; null takes one. */
  readonly refusals: (Error | null)[];
  /** Waits until a mail to an address satisfies `fits`; fails after ten seconds. */
  next(to: string, fits?: (mail: ReceivedMail) => boolean): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** Starts it. Default: no sign-in, no TLS. */
export async function openSmtpInbox(options: SMTPServerOptions & { listenPort?: number } = {}): Promise<SmtpInbox> {
  const mails: ReceivedMail[] = [];
  const refusals: (Error | null)[] = [];
  const { listenPort = 0, ...own } = options;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    ...own,
    onData(stream, session, done) {
      stream.toArray().then(async (chunks: Buffer[]) => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const refusal = refusals.shift() ?? null;
        if (refusal !== null) return done(refusal);
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        mails.push({ from, to: rcptTo.map(({ address }) => address), parsed: await PostalMime.parse(raw), raw });
        return done();
      }, done);
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(listenPort, '127.0.0.1', () => resolve()));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    refusals,
    next: async (to, fits = () => true) => {
      const deadline = performance.now() + 30_000;
      for (;;) {
        const found = mails.findLast((mail) => mail.to.includes(to) && fits(mail));
        if (found !== undefined) return found;
        if (performance.now() > deadline) throw new Error(`No such mail to ${to} came; ${mails.length} others did.`);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A port on loopback where nothing listens. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The token behind the # of the one link that a mail holds. */
export function tokenIn(mail: ReceivedMail): string {
  const links = new Set(mail.parsed.text?.match(/https?:\/\/\S+/g));
  const token = /#([0-9A-Za-z]{43})$/.exec([...links][0] ?? '')?.[1];
  if (links.size !== 1 || token === undefined) throw new Error(`A mail holds ${links.size} links: ${mail.parsed.text}`);
  return token;
}
