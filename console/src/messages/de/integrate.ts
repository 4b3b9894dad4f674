import type { EN_INTEGRATE } from '../en/integrate.ts';
import type { TextsOf } from '../en/translation.ts';

/** German texts of the page that brings ads into pages and programs. */
export const DE_INTEGRATE = {
  'integrate.about_amp':
    'AMP-Seiten führen kein eigenes Skript aus: Der Rahmen enthält eine Seite mit diesem Anzeigenblock.',
  'integrate.about_curl': 'In eine Shell. Jeder Lauf ist eine eigene Anfrage; ohne Anzeige ist die Antwort leer.',
  'integrate.about_openrtb':
    'Der Inhalt einer Anfrage an den Gebotsendpunkt. Jede Anfrage braucht eine eigene Kennung.',
  'integrate.about_prebid': 'In die Seite mit einem Prebid.js, das den Adapter von Placard enthält.',
  'integrate.about_react': 'Braucht die Pakete @placard/react und @placard/tag.',
  'integrate.about_tag': 'Das Skript einmal in die Seite, das Element dorthin, wo die Anzeige hingehört.',
  'integrate.about_typescript':
    'Braucht das Paket @placard/client. Es zählt keine Einblendung: Das tut das Programm, das die Anzeige zeigt.',
  'integrate.about_vast':
    'In die Werbeeinstellungen eines Videoplayers: die Adresse einer Anzeige und die aller Werbepausen (VMAP).',
  'integrate.ad_unit': 'Anzeigenblock',
  'integrate.check': 'Auf die erste Anfrage warten',
  'integrate.check_again': 'Erneut warten',
  'integrate.check_found': 'Die Seite fordert Anzeigen an.',
  'integrate.check_lead':
    'Starten Sie das Warten, und öffnen Sie dann Ihre Seite mit dem Code. Anfragen aller Seiten mit diesem Anzeigenblock zählen.',
  'integrate.check_starts': 'Das Warten beginnt …',
  'integrate.check_title': 'Fordert Ihre Seite Anzeigen an?',
  'integrate.check_waits': 'Seit Beginn keine Anfrage. Öffnen Sie Ihre Seite.',
  'integrate.copied': 'Kopiert',
  'integrate.drawing': 'Die Antwort ist da.',
  'integrate.empty': 'Keine Anzeige passt zu dieser Anfrage.',
  'integrate.failed': 'Die Anfrage ist gescheitert. Vielleicht erreicht der Browser den Ad-Server nicht.',
  'integrate.filled': 'Eine Anzeige wird gezeigt.',
  'integrate.frame': 'Der Anzeigenblock, wie ihn eine Seite zeigt',
  'integrate.kinds': 'Wege, Anzeigen anzufordern',
  'integrate.lead':
    'Code für Seiten und Programme, der so funktioniert, wie er da steht, und ein Blick darauf, was er tut.',
  'integrate.request': 'Anfrage',
  'integrate.response': 'Antwort (HTTP {status})',
  'integrate.snippet': 'Codebeispiel',
  'integrate.start': 'Wählen Sie einen Anzeigenblock.',
  'integrate.step_impression': '{count, plural, one {# Einblendung} other {# Einblendungen}}',
  'integrate.step_request': '{count, plural, one {# Anfrage} other {# Anfragen}}',
  'integrate.step_served': '{count, plural, one {# Anfrage mit Anzeige} other {# Anfragen mit Anzeige}}',
  'integrate.tag': 'Seiten-Tag',
  'integrate.title': 'Einbinden',
  'integrate.try_note': 'Das ist eine echte Anfrage: Eine gezeigte Anzeige zählt als Einblendung.',
  'integrate.unknown': 'Dieses Netzwerk hat keinen solchen Anzeigenblock.',
  'integrate.waiting': 'Die Anfrage ist unterwegs …',
} satisfies TextsOf<typeof EN_INTEGRATE>;
