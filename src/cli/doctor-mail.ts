import { parseMailFrom } from '../config/mail-settings.ts';
import type { Settings } from '../config/settings.ts';
import type { Endpoints } from '../runtime/supervisor/part.ts';
import { type Finding, findFailure, findOk, findWarning } from './finding.ts';

const DEAD_SINCE_MS = 7 * 86_400_000;

/** The mail server: reachable, with TLS and the password; and mails that were given up in the last week. */
export async function checkMail(settings: Settings, running: Endpoints | null): Promise<Finding[]> {
  const { smtpUrl, mailFrom } = settings;
  const from = mailFrom === null ? null : parseMailFrom(mailFrom);
  if (smtpUrl === null || from === null) return [findOk('mail', 'disabled: the operator hands out links')];
  const { describeFailure, SmtpTransport } = await import('../mail/smtp-transport.ts');
  const transport = new SmtpTransport({ url: smtpUrl, from });
  const findings: Finding[] = [];
  try {
    await transport.verify();
    findings.push(findOk('mail', 'the mail server responds'));
  } catch (error) {
    findings.push(
      findFailure('mail', describeFailure(error), 'check PLACARD_SMTP_URL, the mail server, and the network between'),
    );
  } finally {
    transport.close();
  }
  return [...findings, ...(await checkDeadLetters(settings.postgresUrl ?? (running?.postgresUrl || null)))];
}

async function checkDeadLetters(url: string | null): Promise<Finding[]> {
  if (url === null) return [];
  const { openPostgres } = await import('../storage/sql/postgres.ts');
  const { countOutbox } = await import('../mail/mails.sql.ts');
  const { pino } = await import('pino');
  const postgres = openPostgres({ url, log: pino({ level: 'silent' }), poolMax: 1, statementTimeoutMs: 3_000 });
  try {
    const { waiting, dead } = await countOutbox(postgres.db, new Date(Date.now() - DEAD_SINCE_MS));
    if (dead === 0) return [findOk('mail outbox', `${waiting} mails wait`)];
    const message = `${dead} mails were given up in the last 7 days; ${waiting} wait`;
    return [findWarning('mail outbox', message, 'look for mail.dead_letter in the log')];
  } catch {
    // PostgreSQL has a finding of its own.
    return [];
  } finally {
    await postgres.close();
  }
}
