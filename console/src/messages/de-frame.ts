import type { Texts } from './translation.ts';

/** German texts of the frame, of failures and of signing in. */
export const DE_FRAME = {
  'a11y.menu': 'Menü',
  'a11y.navigation': 'Seiten',
  'a11y.skip': 'Zum Inhalt springen',

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

  'confirm.type': 'Zur Bestätigung „{name}“ eingeben',

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
  'error.query_timeout':
    'Die Abfrage hat zu lange gedauert. Wählen Sie einen kürzeren Zeitraum oder weniger Dimensionen, oder versuchen Sie es erneut.',
  'error.overloaded': 'Der Server ist ausgelastet. Versuchen Sie es gleich noch einmal.',
  'error.unavailable': 'Ein Teil des Dienstes ist nicht verfügbar. Versuchen Sie es gleich noch einmal.',
  'error.internal_error':
    'Auf dem Server ist ein Fehler aufgetreten. Versuchen Sie es erneut; bleibt der Fehler, melden Sie ihn dem Betreiber.',
  'error.passkey_failed':
    'Der Browser hat keinen Passkey bereitgestellt. Versuchen Sie es erneut, oder wählen Sie einen anderen Weg.',
  'error.verification_required':
    'Diese Aktion muss bestätigt werden. Versuchen Sie es erneut und bestätigen Sie, dass Sie es sind.',

  'confirm_address.confirm': 'Adresse bestätigen',
  'confirm_address.done': 'Ab jetzt melden Sie sich mit {email} an. Ihre anderen Sitzungen sind beendet.',
  'confirm_address.text':
    'Bestätigen Sie, dass Sie ab jetzt diese E-Mail-Adresse verwenden. Sie müssen in dem Konto angemeldet sein.',
  'confirm_address.title': 'Neue E-Mail-Adresse',

  'forgot.back': 'Zurück zur Anmeldung',
  'forgot.no_mail':
    'Diese Installation versendet keine E-Mails. Bitten Sie den Betreiber um einen Link für ein neues Passwort.',
  'forgot.send': 'Link senden',
  'forgot.sent':
    'Gibt es für {email} ein Konto, ist eine E-Mail mit einem Link unterwegs. Der Link gilt einmal und eine Stunde lang. Sehen Sie auch im Spam-Ordner nach.',
  'forgot.text': 'Sie erhalten eine E-Mail mit einem Link für ein neues Passwort.',
  'forgot.title': 'Passwort vergessen?',

  'identity.connect': '{name} verbinden',
  'identity.none': 'Kein Dienst ist verbunden.',
  'identity.provider': 'Dienst',
  'identity.problem':
    'Der Dienst wurde nicht verbunden: Er hat Ihre Identität nicht bestätigt, oder er ist mit einem anderen Konto verbunden.',
  'identity.text': 'Mit einem verbundenen Dienst melden Sie sich ohne Passwort an.',
  'identity.title': 'Verbundene Dienste',

  'invitation.has_account': 'Sie haben bereits ein Konto mit dieser Adresse?',
  'invitation.make_account': 'Konto anlegen und annehmen',
  'invitation.set_password': 'Passwort festlegen',
  'invitation.sign_in_first': 'Zum Annehmen anmelden',
  'invitation.title': 'Einladung',
  'invitation.password_title': 'Neues Passwort wählen',
  'invitation.no_token': 'Dieser Link ist unvollständig. Öffnen Sie den ganzen Link, den Sie erhalten haben.',
  'invitation.join_text': '{email} ist in das Netzwerk {network} eingeladen, mit der Rolle {role}.',
  'invitation.account_text': '{email} ist zu Placard eingeladen.',
  'invitation.password_text': 'Wählen Sie ein neues Passwort für {email}.',

  'language.title': 'Sprache',

  'nav.account': 'Konto und Sitzungen',
  'nav.activities': 'Aktivitäten',
  'nav.ad_units': 'Anzeigenblöcke',
  'nav.advertisers': 'Werbetreibende',
  'nav.api_keys': 'API-Schlüssel',
  'nav.audience': 'Zielgruppen',
  'nav.audit': 'Änderungsprotokoll',
  'nav.campaigns': 'Kampagnen',
  'nav.cluster': 'Cluster',
  'nav.creatives': 'Werbemittel',
  'nav.credentials': 'Zugänge für Berichte',
  'nav.dashboards': 'Dashboards',
  'nav.deals': 'Deals',
  'nav.desk': 'Desk',
  'nav.floors': 'Mindestpreise',
  'nav.inventory': 'Inventar',
  'nav.key_values': 'Schlüsselwerte',
  'nav.lens': 'Berichte (Lens)',
  'nav.limits': 'Limits',
  'nav.line_items': 'Werbebuchungen',
  'nav.network': 'Netzwerk',
  'nav.products': 'Produkte',
  'nav.reports': 'Berichte',
  'nav.segments': 'Segmente',
  'nav.settings': 'Einstellungen',
  'nav.sites': 'Websites',
  'nav.today': 'Heute',
  'nav.users': 'Nutzer',

  'palette.nothing': 'Nichts gefunden',
  'palette.open': 'Befehle suchen',
  'palette.placeholder': 'Seiten und Befehle suchen',
  'palette.to_network': 'Zu {name} wechseln',
  'palette.to_production': 'Zur Produktivumgebung wechseln',
  'palette.to_staging': 'Zur Testumgebung (Staging) wechseln',

  'passkey.add': 'Passkey hinzufügen',
  'passkey.add_text':
    'Ihr Browser fragt nach Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel und bewahrt den Passkey auf.',
  'passkey.last_used': 'Zuletzt verwendet',
  'passkey.none': 'Keine Passkeys.',
  'passkey.remove': '{name} entfernen',
  'passkey.sign_in': 'Mit einem Passkey fortfahren',
  'passkey.since': 'Hinzugefügt',
  'passkey.text': 'Ein Passkey meldet Sie ohne Passwort an und ersetzt den Code des zweiten Faktors.',
  'passkey.title': 'Passkeys',
  'passkey.unavailable': 'Passkeys brauchen eine Adresse mit Hostnamen; fragen Sie den Betreiber.',
  'passkey.use': 'Passkey verwenden',

  'provider.callback': 'Rückleitungsadresse',
  'provider.clientId': 'Client-ID',
  'provider.clientSecret': 'Client-Geheimnis',
  'provider.issuer': 'Aussteller',
  'provider.name': 'Name auf der Anmeldeseite',
  'provider.save': 'Anbieter speichern',
  'provider.secret_stays': 'Lassen Sie das Feld leer, um das jetzige Geheimnis zu behalten.',
  'provider.text':
    'Ein OpenID-Connect-Anbieter für Personen dieses Netzwerks. Registrieren Sie dort diese Adresse. Seine Sitzungen öffnen nur dieses Netzwerk.',
  'provider.title': 'Anmeldeanbieter',

  'scheme.to_dark': 'Dunkle Farben',
  'scheme.to_light': 'Helle Farben',

  'scope.environment': 'Umgebung',
  'scope.network': 'Netzwerk',
  'scope.none': 'Sie sind noch in keinem Netzwerk Mitglied. Bitten Sie einen Administrator um eine Einladung.',
  'scope.production': 'Produktiv',
  'scope.staging': 'Staging',

  'shortcuts.title': 'Tastenkürzel',
  'shortcuts.single_keys': 'Kürzel aus einer Taste verwenden',

  'sign_in.title': 'Anmelden',
  'sign_in.email': 'E-Mail-Adresse',
  'sign_in.password': 'Passwort',
  'sign_in.show_password': 'Passwort zeigen oder verbergen',
  'sign_in.code': 'Code',
  'sign_in.code_hint': 'Sechs Ziffern Ihrer Authenticator-App oder ein Wiederherstellungscode.',
  'sign_in.help': 'Kein Konto? Ein Administrator Ihres Netzwerks kann Sie einladen.',
  'sign_in.or': 'oder',
  'sign_in.problem.not_connected':
    'Mit dieser Anmeldung ist kein Konto verbunden. Haben Sie ein Konto, melden Sie sich dort an und verbinden Sie den Dienst unter „Konto und Sitzungen“; sonst bitten Sie um eine Einladung.',
  'sign_in.problem.other': 'Der Anmeldedienst hat nicht richtig geantwortet. Versuchen Sie es erneut.',
  'sign_in.with': 'Weiter mit {name}',

  'state.broken': 'Diese Seite konnte nicht angezeigt werden',
  'state.failed': 'Das hat nicht geklappt',
  'state.loading': 'Wird geladen …',
  'state.not_found': 'Unter dieser Adresse gibt es nichts',
  'state.saved': 'Gespeichert',
  'state.unknown_network': 'Das Netzwerk {id} gehört nicht zu Ihren',

  'user.menu': 'Ihr Konto',

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
} as const satisfies Texts;
