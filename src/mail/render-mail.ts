import type { MailContent } from './mail-content.ts';
import { MAIL_TEXTS } from './mail-texts.ts';
import { oneLine } from './tame-text.ts';

/** A mail as it is sent. */
export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const SUBJECT_LENGTH_MAX = 150;

/** Writes a mail: plain text, and simple HTML with everything escaped. */
export function renderMail(content: MailContent): RenderedMail {
  const { subject, paragraphs, button } = MAIL_TEXTS[content.kind](content as never);
  const lines = paragraphs.map(oneLine);
  const text = [...lines.slice(0, 1), ...(button === null ? [] : [button.link]), ...lines.slice(1), SIGNATURE];
  const html = [
    ...lines.slice(0, 1).map(paragraph),
    ...(button === null ? [] : [linkParagraph(button)]),
    ...lines.slice(1).map(paragraph),
    paragraph(SIGNATURE),
  ];
  return {
    subject: oneLine(subject).slice(0, SUBJECT_LENGTH_MAX),
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif;max-width:36em">${html.join('')}</body></html>`,
  };
}

const SIGNATURE = 'Placard sent this mail automatically; nobody reads replies.';

function paragraph(line: string): string {
  return `<p>${escapeHtml(line)}</p>`;
}

function linkParagraph({ title, link }: { readonly title: string; readonly link: string }): string {
  const shown = escapeHtml(link);
  return `<p><a href="${shown}">${escapeHtml(title)}</a></p><p>Or copy this address into your browser:<br>${shown}</p>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
