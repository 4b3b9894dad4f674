import type { EN_FRAME } from '../en/frame.ts';
import type { TextsOf } from '../en/translation.ts';

/** German texts of the frame around every page. */
export const DE_FRAME = {
  'a11y.menu': 'Menü',
  'a11y.navigation': 'Seiten',
  'a11y.skip': 'Zum Inhalt springen',

  'action.try': 'Ausprobieren',
  'action.accept': 'Annehmen',
  'action.cancel': 'Abbrechen',
  'action.clear': 'Leeren',
  'action.close': 'Schließen',
  'action.continue': 'Weiter',
  'action.copy': 'Kopieren',
  'action.delete': 'Löschen',
  'action.done': 'Fertig',
  'action.edit': 'Bearbeiten',
  'action.filter': 'Filtern',
  'action.more': 'Mehr anzeigen',
  'action.reload': 'Seite neu laden',
  'action.retry': 'Erneut versuchen',
  'action.save': 'Speichern',
  'action.share': 'Teilen',
  'action.sign_in': 'Anmelden',
  'action.sign_out': 'Abmelden',
  'action.export_csv': 'CSV exportieren',

  'actor.credential': 'Berichtszugang „{name}“',
  'actor.key': 'API-Schlüssel „{name}“',
  'actor.node': 'Knoten {id}',
  'actor.operator': 'Betreiber',
  'actor.system': 'Placard ({part})',

  'column.name': 'Name',

  'confirm.type': 'Zur Bestätigung „{name}“ eingeben',

  'error.passkey_failed':
    'Der Browser hat keinen Passkey bereitgestellt. Versuchen Sie es erneut, oder wählen Sie einen anderen Weg.',
  'error.verification_required':
    'Diese Aktion muss bestätigt werden. Versuchen Sie es erneut und bestätigen Sie, dass Sie es sind.',
  'error.unexpected':
    'Auf dieser Seite ist etwas schiefgegangen. Laden Sie sie neu; bleibt der Fehler, melden Sie ihn dem Betreiber.',
  'error.offline': 'Der Server hat nicht geantwortet. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
  'error.page_not_loaded':
    'Diese Seite wurde nicht geladen. Der Server ist nicht erreichbar, oder es gibt eine neue Version: Laden Sie alles neu.',
  'error.request_id': '(Anfrage {id})',
  'error.authentication_required': 'Sie sind abgemeldet. Melden Sie sich erneut an.',
  'error.insufficient_permissions': 'Ihre Rolle in diesem Netzwerk erlaubt das nicht.',
  'error.unknown_network': 'Sie sind kein Mitglied dieses Netzwerks, oder es hat diese Umgebung nicht.',
  'error.csrf_refused':
    'Der Browser hat das von einer anderen Website gesendet. Öffnen Sie die Konsole selbst und versuchen Sie es erneut.',
  'error.rate_limit_exceeded':
    'Das Limit dieses Netzwerks ist ausgeschöpft. Versuchen Sie es in {seconds} Sekunden erneut.',
  'error.query_too_complex':
    'Das ist zu viel auf einmal, oder der Server ist ausgelastet. Versuchen Sie es gleich noch einmal, oder fragen Sie weniger ab.',
  'error.query_timeout':
    'Die Abfrage hat zu lange gedauert. Wählen Sie einen kürzeren Zeitraum oder weniger Dimensionen, oder versuchen Sie es erneut.',
  'error.overloaded': 'Der Server ist ausgelastet. Versuchen Sie es gleich noch einmal.',
  'error.unavailable': 'Ein Teil des Dienstes ist nicht verfügbar. Versuchen Sie es gleich noch einmal.',
  'error.internal_error':
    'Auf dem Server ist ein Fehler aufgetreten. Versuchen Sie es erneut; bleibt der Fehler, melden Sie ihn dem Betreiber.',

  'language.title': 'Sprache',

  'limit.ads': 'Anzeigenanfragen',
  'limit.events': 'Aktivitätsereignisse',
  'limit.management': 'Anfragen an die Management-API',
  'limit.reports': 'Anfragen an die Reports-API',

  'leave.action': 'Verlassen',
  'leave.text': 'Die Änderungen dieser Seite sind nicht gespeichert.',
  'leave.title': 'Ohne Speichern verlassen?',

  'nav.activities': 'Aktivitäten',
  'nav.activity': 'Verlauf',
  'nav.ad_units': 'Anzeigenblöcke',
  'nav.advertisers': 'Werbetreibende',
  'nav.audience': 'Zielgruppen',
  'nav.creatives': 'Werbemittel',
  'nav.deals': 'Deals',
  'nav.floors': 'Mindestpreise',
  'nav.inventory': 'Inventar',
  'nav.key_values': 'Schlüsselwerte',
  'nav.products': 'Produkte',
  'nav.segments': 'Segmente',
  'nav.sites': 'Websites',
  'nav.campaigns': 'Kampagnen',
  'nav.desk': 'Desk',
  'nav.line_items': 'Werbebuchungen',
  'nav.today': 'Heute',
  'nav.inspector': 'Inspektor',
  'nav.integrate': 'Einbinden',
  'nav.availability': 'Verfügbarkeit',
  'nav.experiments': 'Experimente',
  'nav.inventory_tree': 'Inventar',
  'nav.account': 'Konto und Sitzungen',
  'nav.api_keys': 'API-Schlüssel',
  'nav.audit': 'Änderungsprotokoll',
  'nav.cluster': 'Cluster',
  'nav.credentials': 'Zugänge für Berichte',
  'nav.dashboards': 'Dashboards',
  'nav.lens': 'Berichte (Lens)',
  'nav.limits': 'Limits',
  'nav.network': 'Netzwerk',
  'nav.report_links': 'Links zu Berichten',
  'nav.reports': 'Berichte',
  'nav.settings': 'Einstellungen',
  'nav.users': 'Nutzer',

  'notices.title': 'Benachrichtigungen',
  'notices.open':
    '{count, plural, =0 {Benachrichtigungen} one {Benachrichtigungen, # ungelesen} other {Benachrichtigungen, # ungelesen}}',
  'notices.empty': 'Nichts Neues.',
  'notices.read_all': 'Alle als gelesen markieren',
  'notices.choices': 'Worüber Sie benachrichtigt werden',
  'notices.in_app': 'In der Konsole',
  'notices.mail': 'Per E-Mail',
  'notices.MENTIONED': '{actor} erwähnt Sie bei {name}',
  'notices.COMMENTED': '{actor} kommentiert {name}',
  'notices.APPROVAL_REQUESTED': '{actor} bittet um Freigabe von {name}',
  'notices.APPROVED': '{actor} gibt {name} frei',
  'notices.REVIEW_REQUESTED':
    '{actor} bittet um Prüfung von {name}{more, plural, =0 {} one { und # weiteren} other { und # weiteren}}',
  'notices.CREATIVE_REJECTED':
    '{actor} hat {name}{more, plural, =0 {} one { und # weiteres} other { und # weitere}} abgelehnt',
  'notices.BEHIND_GOAL': '{name} verfehlt vielleicht das Ziel',
  'notices.HANDED_OVER': '{actor} übergibt Ihnen {name}: Handlungsbedarf',
  'notices.event_MENTIONED': 'Jemand erwähnt Sie',
  'notices.event_COMMENTED': 'Jemand kommentiert, wo Sie es taten',
  'notices.event_APPROVAL_REQUESTED': 'Eine Buchung wartet auf Freigabe',
  'notices.event_APPROVED': 'Ihre Buchung ist freigegeben',
  'notices.event_REVIEW_REQUESTED': 'Ein Werbemittel wartet auf Prüfung',
  'notices.event_CREATIVE_REJECTED': 'Ein Werbemittel wurde abgelehnt',
  'notices.event_BEHIND_GOAL': 'Eine Werbebuchung bleibt hinter ihrem Ziel zurück',
  'notices.event_HANDED_OVER': 'Jemand übergibt Ihnen eine Werbebuchung',

  'number.ambiguous': '{text} kann {fraction} oder {whole} bedeuten. Schreiben Sie {fraction} oder {whole}.',
  'number.ambiguous_whole':
    '{text} kann {fraction} oder {whole} bedeuten. Dieses Feld nimmt eine ganze Zahl: Schreiben Sie {whole}.',
  'number.fault_between': 'Geben Sie eine Zahl von {min} bis {max} ein.',
  'number.fault_whole': 'Geben Sie eine ganze Zahl ein.',
  'number.read_as': '= {number}',

  'palette.nothing': 'Nichts gefunden',
  'palette.open': 'Befehle suchen',
  'palette.placeholder': 'Seiten und Befehle suchen',
  'palette.to_network': 'Zu {name} wechseln',
  'palette.to_production': 'Zur Produktivumgebung wechseln',
  'palette.to_staging': 'Zur Testumgebung (Staging) wechseln',

  'passkey.use': 'Passkey verwenden',

  'role.admin': 'Administrator',
  'role.editor': 'Bearbeiter',
  'role.viewer': 'Betrachter',

  'scheme.to_dark': 'Dunkle Farben',
  'scheme.to_light': 'Helle Farben',

  'scope.environment': 'Umgebung',
  'scope.network': 'Netzwerk',
  'scope.none': 'Sie sind noch in keinem Netzwerk Mitglied. Bitten Sie einen Administrator um eine Einladung.',
  'scope.production': 'Produktiv',
  'scope.staging': 'Staging',

  'shortcuts.title': 'Tastenkürzel',
  'shortcuts.single_keys': 'Kürzel aus einer Taste verwenden',

  'sign_in.email': 'E-Mail-Adresse',
  'sign_in.password': 'Passwort',
  'sign_in.show_password': 'Passwort zeigen oder verbergen',
  'sign_in.code': 'Code',

  'state.copied': 'Kopiert',
  'state.broken': 'Diese Seite konnte nicht angezeigt werden',
  'state.failed': 'Das hat nicht geklappt',
  'state.loading': 'Wird geladen …',
  'state.not_found': 'Unter dieser Adresse gibt es nichts',
  'state.saved': 'Gespeichert',
  'state.unknown_network': 'Das Netzwerk {id} gehört nicht zu Ihren',

  'user.menu': 'Ihr Konto',

  'value.any': 'Beliebig',
  'value.timezone': 'Zeitzone',
  'value.from': 'Von',
  'value.to': 'Bis',
  'value.never': 'Nie',
  'value.no': 'Nein',
  'value.none': '(ohne)',
  'value.none_measure': '–',
  'value.week_of': 'Woche ab {date}',
  'value.yes': 'Ja',

  'verify.nothing':
    'Dieses Konto hat weder Passwort noch Passkey. Melden Sie sich erneut an, oder legen Sie über einen Link ein Passwort fest.',
  'verify.provider': 'Beim Dienst erneut anmelden',
  'verify.text': 'Bestätigen Sie, dass Sie es sind. Zehn Minuten lang werden Sie nicht erneut gefragt.',
  'verify.title': 'Bestätigen Sie, dass Sie es sind',
} satisfies TextsOf<typeof EN_FRAME>;
