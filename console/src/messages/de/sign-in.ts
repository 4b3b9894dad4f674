import type { EN_SIGN_IN } from '../en/sign-in.ts';
import type { TextsOf } from '../en/translation.ts';

/** German texts of signing in, of passkeys and of providers. */
export const DE_SIGN_IN = {
  'account.name': 'Ihr Name',
  'account.new_password': 'Neues Passwort',
  'account.password_hint': 'Mindestens 12 Zeichen; einige zufällige Wörter sind gut.',

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

  'sign_in.link_ended': 'Dieser Link wurde schon benutzt oder ist abgelaufen. Melden Sie sich mit dem Passwort an.',
  'sign_in.or': 'oder',
  'sign_in.problem.not_connected':
    'Mit dieser Anmeldung ist kein Konto verbunden. Haben Sie ein Konto, melden Sie sich dort an und verbinden Sie den Dienst unter „Konto und Sitzungen“; sonst bitten Sie um eine Einladung.',
  'sign_in.problem.other': 'Der Anmeldedienst hat nicht richtig geantwortet. Versuchen Sie es erneut.',
  'sign_in.with': 'Weiter mit {name}',
  'sign_in.title': 'Anmelden',
  'sign_in.code_hint': 'Sechs Ziffern Ihrer Authenticator-App oder ein Wiederherstellungscode.',
  'sign_in.help': 'Kein Konto? Ein Administrator Ihres Netzwerks kann Sie einladen.',
} satisfies TextsOf<typeof EN_SIGN_IN>;
