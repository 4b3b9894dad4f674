import { type AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerEnvelope, type SMTPServerOptions } from 'smtp-server';

/** A mail that arrived. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly parsed: Email;
  readonly raw: string;
}

/** A real SMTP server on loopback that stores its mails. */
export interface SmtpInbox {
  readonly port: number;
  all(): Promise<readonly ReceivedMail[]>;
  /** Replies to the next messages with these errors; null accepts one. */
  readonly refusals: (Error | null)[];
  /** Waits until a mail to an address satisfies `fits`; fails after ten seconds. */
  next(to: string, fits?: (mail: ReceivedMail) => boolean): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** Starts it. Default: no sign-in, no TLS. */
export async function openSmtpInbox(options: SMTPServerOptions & { listenPort?: number } = {}): Promise<SmtpInbox> {
  const received: { readonly envelope: SMTPServerEnvelope; readonly raw: string }[] = [];
  const mails: ReceivedMail[] = [];
  const refusals: (Error | null)[] = [];
  const { listenPort = 0, ...own } = options;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    ...own,
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const refusal = refusals.shift() ?? null;
        if (refusal === null) received.push({ envelope, raw: Buffer.concat(chunks).toString('utf8') });
        done(refusal);
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(listenPort, '127.0.0.1', () => resolve()));
  const readAll = async (): Promise<readonly ReceivedMail[]> => {
    for (const { envelope, raw } of received.splice(0)) mails.push(await read(envelope, raw));
    return mails;
  };
  return {
    port: (server.server.address() as AddressInfo).port,
    all: readAll,
    refusals,
    next: async (to, fits = () => true) => {
      const deadline = performance.now() + 100_000;
      for (;;) {
        const found = (await readAll()).findLast((mail) => mail.to.includes(to) && fits(mail));
        if (found !== undefined) return found;
        if (performance.now() > deadline)
          throw new Error(`No such mail to ${to} came; ${(await readAll()).length} others did.`);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function read({ mailFrom, rcptTo }: SMTPServerEnvelope, raw: string): Promise<ReceivedMail> {
  const from = mailFrom === false ? '' : mailFrom.address;
  return { from, to: rcptTo.map(({ address }) => address), parsed: await PostalMime.parse(raw), raw };
}

/** The token behind the # of the one link that a mail holds. */
export function tokenIn(mail: ReceivedMail): string {
  const links = new Set(mail.parsed.text?.match(/https?:\/\/\S+/g));
  const token = /#([0-9A-Za-z]{43})$/.exec([...links][0] ?? '')?.[1];
  if (links.size !== 1 || token === undefined) throw new Error(`A mail holds ${links.size} links: ${mail.parsed.text}`);
  return token;
}
