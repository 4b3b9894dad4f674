import { createHash } from 'node:crypto';
import { choosePageLanguage } from '../../domain/text/page-language.ts';
import type { PageLanguage } from '../../domain/text/page-language.ts';
import type { Problem } from './problem.ts';

interface PageText {
  readonly title: string;
  readonly text: string;
}

/** What a person reads, by the kind of failure. Programs get JSON. */
const TEXTS: Readonly<Record<PageLanguage, Readonly<Record<'missing' | 'signIn' | 'other', PageText>>>> = {
  en: {
    missing: { title: 'There is nothing here', text: 'The address is wrong, or what it led to is gone.' },
    signIn: {
      title: 'Sign in first',
      text: 'This address opens for people who are signed in, and for programs with a key.',
    },
    other: { title: 'That did not work', text: 'The server did not accept this request.' },
  },
  pl: {
    missing: { title: 'Tu nic nie ma', text: 'Adres jest błędny albo tego, do czego prowadził, już nie ma.' },
    signIn: {
      title: 'Najpierw się zaloguj',
      text: 'Ten adres otwiera się dla zalogowanych osób i programów z kluczem.',
    },
    other: { title: 'To się nie udało', text: 'Serwer nie przyjął tego żądania.' },
  },
  de: {
    missing: { title: 'Hier ist nichts', text: 'Die Adresse ist falsch, oder ihr Ziel gibt es nicht mehr.' },
    signIn: {
      title: 'Bitte zuerst anmelden',
      text: 'Diese Adresse öffnet sich für angemeldete Personen und für Programme mit einem Schlüssel.',
    },
    other: { title: 'Das hat nicht geklappt', text: 'Der Server hat diese Anfrage nicht angenommen.' },
  },
  fr: {
    missing: { title: 'Il n’y a rien ici', text: 'L’adresse est erronée, ou ce à quoi elle menait n’existe plus.' },
    signIn: {
      title: 'Connectez-vous d’abord',
      text: 'Cette adresse s’ouvre aux personnes connectées et aux programmes munis d’une clé.',
    },
    other: { title: 'Cela n’a pas fonctionné', text: 'Le serveur n’a pas accepté cette requête.' },
  },
  es: {
    missing: { title: 'Aquí no hay nada', text: 'La dirección es incorrecta o aquello a lo que llevaba ya no existe.' },
    signIn: {
      title: 'Primero inicie sesión',
      text: 'Esta dirección se abre a personas que han iniciado sesión y a programas con una clave.',
    },
    other: { title: 'No ha funcionado', text: 'El servidor no ha aceptado esta solicitud.' },
  },
};

const SIGN_IN: Readonly<Record<PageLanguage, string>> = {
  en: 'Sign in',
  pl: 'Zaloguj się',
  de: 'Anmelden',
  fr: 'Se connecter',
  es: 'Iniciar sesión',
};

const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem}' +
  'code{overflow-wrap:anywhere}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  vary: 'Accept, Accept-Language, Sec-Fetch-Dest',
};

/** The parts of a request by which a person in a browser is told from a program. */
export interface AskedBy {
  readonly method: string;
  readonly accept: string | undefined;
  readonly acceptLanguage: string | undefined;
  /** `Sec-Fetch-Dest`, which browsers send by themselves and programs do not. */
  readonly destination: string | undefined;
}

/** Whether a person opened the address in a browser. `Accept` alone does not tell: Java's own client asks for HTML first. */
export function isShownToPerson({ method, accept = '', destination }: AskedBy): boolean {
  return method === 'GET' && destination === 'document' && accept.includes('text/html');
}

/**
 * A failure as a page. It has no script and sets no cookie.
 * @param signInAddress where a person signs in; null: not at this server
 */
export function problemPage(
  { status, body }: Problem,
  { acceptLanguage = '' }: AskedBy,
  signInAddress: string | null,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const language = choosePageLanguage(acceptLanguage);
  const isSignIn = status === 401 && signInAddress !== null;
  const kind = status === 404 || status === 410 ? 'missing' : isSignIn ? 'signIn' : 'other';
  const { title, text } = TEXTS[language][kind];
  const link = isSignIn ? `<p><a href="${escapeText(signInAddress)}">${SIGN_IN[language]}</a></p>` : '';
  const detail = `${status} ${body.error}: ${body.message}`;
  return {
    headers: { ...HEADERS, 'content-language': language },
    body:
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>` +
      `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">` +
      `<style>${STYLE}</style></head><body><main><h1>${title}</h1><p>${text}</p>${link}` +
      `<p lang="en"><code>${escapeText(detail)}</code></p></main></body></html>`,
  };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
