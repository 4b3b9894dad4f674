import { createHash } from 'node:crypto';
import { choosePageLanguage } from '../../domain/text/page-language.ts';
import type { PageLanguage } from '../../domain/text/page-language.ts';
import type { HttpReply } from '../../http/shared/route.ts';

const TEXTS: Readonly<Record<PageLanguage, { readonly title: string; readonly text: string }>> = {
  en: { title: 'This advertisement has ended', text: 'The page that it led to is no longer advertised here.' },
  pl: { title: 'Ta reklama się zakończyła', text: 'Strona, do której prowadziła, nie jest tu już reklamowana.' },
  de: { title: 'Diese Anzeige ist beendet', text: 'Die Seite, zu der sie führte, wird hier nicht mehr beworben.' },
  fr: {
    title: 'Cette publicité est terminée',
    text: 'La page vers laquelle elle menait ne fait plus l’objet d’une publicité ici.',
  },
  es: { title: 'Este anuncio ha finalizado', text: 'La página a la que llevaba ya no se anuncia aquí.' },
};

const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:15vh auto;padding:0 1rem}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  vary: 'Accept-Language',
};

/** The page (410) that says that an ad has ended. It has no links and sets no cookie. @param offered languages of the network */
export function endedAdReply(acceptLanguage: string, offered?: readonly string[]): HttpReply {
  const language = choosePageLanguage(acceptLanguage, offered);
  const { title, text } = TEXTS[language];
  return {
    status: 410,
    headers: { ...HEADERS, 'content-language': language },
    body:
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>` +
      `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">` +
      `<style>${STYLE}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`,
  };
}
