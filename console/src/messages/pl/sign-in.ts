import type { EN_SIGN_IN } from '../en/sign-in.ts';
import type { TextsOf } from '../en/translation.ts';

/** Polish texts of signing in, of passkeys and of providers. */
export const PL_SIGN_IN = {
  'account.name': 'Twoje imię i nazwisko',
  'account.new_password': 'Nowe hasło',
  'account.password_hint': 'Co najmniej 12 znaków; dobrze sprawdza się kilka losowych słów.',

  'confirm_address.confirm': 'Potwierdź adres',
  'confirm_address.done': 'Od teraz logujesz się adresem {email}. Twoje pozostałe sesje zostały zakończone.',
  'confirm_address.text': 'Potwierdź, że od teraz używasz tego adresu e-mail. Musisz być na tym koncie zalogowany.',
  'confirm_address.title': 'Nowy adres e-mail',

  'forgot.back': 'Wróć do logowania',
  'forgot.no_mail': 'Ta instalacja nie wysyła poczty. Poproś operatora o link do nowego hasła.',
  'forgot.send': 'Wyślij link',
  'forgot.sent':
    'Jeśli adres {email} ma konto, wysłaliśmy wiadomość z linkiem. Link działa raz, przez godzinę. Sprawdź też folder ze spamem.',
  'forgot.text': 'Otrzymasz wiadomość z linkiem do nowego hasła.',
  'forgot.title': 'Nie pamiętasz hasła?',

  'identity.connect': 'Połącz: {name}',
  'identity.none': 'Żadna usługa nie jest połączona.',
  'identity.provider': 'Usługa',
  'identity.problem':
    'Usługa nie została połączona: nie potwierdziła Twojej tożsamości albo jest połączona z innym kontem.',
  'identity.text': 'Połączona usługa loguje Cię bez hasła.',
  'identity.title': 'Połączone usługi',

  'invitation.has_account': 'Masz już konto z tym adresem?',
  'invitation.make_account': 'Załóż konto i przyjmij',
  'invitation.set_password': 'Ustaw hasło',
  'invitation.sign_in_first': 'Zaloguj się, aby przyjąć',
  'invitation.title': 'Zaproszenie',
  'invitation.password_title': 'Wybierz nowe hasło',
  'invitation.no_token': 'Ten link jest niepełny. Otwórz cały link, który masz.',
  'invitation.join_text': '{email}: zaproszenie do sieci {network}, rola: {role}.',
  'invitation.account_text': '{email}: zaproszenie do Placard.',
  'invitation.password_text': 'Wybierz nowe hasło dla {email}.',

  'passkey.add': 'Dodaj klucz dostępu',
  'passkey.add_text':
    'Przeglądarka poprosi o odcisk palca, twarz, PIN lub klucz bezpieczeństwa i zachowa klucz dostępu.',
  'passkey.last_used': 'Ostatnio użyty',
  'passkey.none': 'Brak kluczy dostępu.',
  'passkey.remove': 'Usuń: {name}',
  'passkey.sign_in': 'Kontynuuj z kluczem dostępu',
  'passkey.since': 'Dodany',
  'passkey.text': 'Klucz dostępu loguje Cię bez hasła i zastępuje kod drugiego składnika.',
  'passkey.title': 'Klucze dostępu',
  'passkey.unavailable': 'Klucze dostępu wymagają adresu z nazwą hosta; zapytaj operatora.',

  'provider.callback': 'Adres przekierowania',
  'provider.clientId': 'ID klienta',
  'provider.clientSecret': 'Sekret klienta',
  'provider.issuer': 'Wystawca',
  'provider.name': 'Nazwa na stronie logowania',
  'provider.save': 'Zapisz dostawcę',
  'provider.secret_stays': 'Zostaw puste, aby zachować obecny sekret.',
  'provider.text':
    'Dostawca OpenID Connect dla osób z tej sieci. Zarejestruj u niego ten adres. Jego sesje otwierają tylko tę sieć.',
  'provider.title': 'Dostawca logowania',

  'sign_in.link_ended': 'Ten link został już użyty albo wygasł. Zaloguj się hasłem.',
  'sign_in.or': 'lub',
  'sign_in.problem.not_connected':
    'Z tym logowaniem nie jest połączone żadne konto. Jeśli masz konto, zaloguj się na nie i połącz usługę na stronie „Konto i sesje”; w przeciwnym razie poproś o zaproszenie.',
  'sign_in.problem.other': 'Usługa logowania nie odpowiedziała poprawnie. Spróbuj ponownie.',
  'sign_in.with': 'Kontynuuj przez {name}',
  'sign_in.title': 'Logowanie',
  'sign_in.code_hint': 'Sześć cyfr z aplikacji uwierzytelniającej albo kod odzyskiwania.',
  'sign_in.help': 'Nie masz konta? Administrator Twojej sieci może Cię zaprosić.',
} satisfies TextsOf<typeof EN_SIGN_IN>;
