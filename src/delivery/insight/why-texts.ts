import type { WhyParameter } from '../../domain/targeting/targeting-dimensions.ts';
import type { PageLanguage } from '../../domain/text/page-language.ts';

/** All texts of the page in one language. */
export interface WhyTexts {
  readonly title: string;
  readonly intro: string;
  readonly behalf: string;
  readonly paid: string;
  readonly unknown: string;
  readonly parameters: string;
  readonly personal: string;
  readonly notPersonal: string;
  readonly gone: string;
  readonly by: Readonly<Record<WhyParameter, string>>;
}

export const WHY_TEXTS: Readonly<Record<PageLanguage, WhyTexts>> = {
  en: {
    title: 'Why this ad?',
    intro: 'You are seeing this advertisement because an advertiser booked it with the publisher of this site.',
    behalf: 'Shown on behalf of',
    paid: 'Paid for by',
    unknown: 'Not stated by the advertiser',
    parameters: 'How it was chosen',
    personal: 'A pseudonymous identifier of your browser was available to limit how often you see an ad.',
    notPersonal: 'It was chosen without using any data about you as a person.',
    gone: 'The advertiser of this ad is no longer known here.',
    by: {
      context: 'the page you are reading and the position of the ad on it',
      place: 'your approximate location (country, region or city)',
      device: 'your type of device, system or browser',
      time: 'the time of day or day of the week',
      language: 'your language settings',
      profile: 'groups of interest that your browser was assigned to',
      agreement: 'an agreement between the advertiser and the publisher',
      campaign: 'the booking of the campaign on all pages of this publisher',
    },
  },
  pl: {
    title: 'Dlaczego widzę tę reklamę?',
    intro: 'Widzisz tę reklamę, ponieważ reklamodawca zamówił ją u wydawcy tej strony.',
    behalf: 'Reklama wyświetlana w imieniu',
    paid: 'Sfinansowana przez',
    unknown: 'Reklamodawca nie podał tej informacji',
    parameters: 'Co zdecydowało o jej wyborze',
    personal:
      'Dostępny był pseudonimowy identyfikator Twojej przeglądarki, który ogranicza częstotliwość wyświetlania reklam.',
    notPersonal: 'Reklamę wybrano bez użycia jakichkolwiek danych o Tobie jako osobie.',
    gone: 'Reklamodawca tej reklamy nie jest już tu znany.',
    by: {
      context: 'strona, którą czytasz, i miejsce reklamy na niej',
      place: 'Twoja przybliżona lokalizacja (kraj, region lub miasto)',
      device: 'rodzaj urządzenia, system lub przeglądarka',
      time: 'pora dnia lub dzień tygodnia',
      language: 'ustawienia języka',
      profile: 'grupy zainteresowań, do których przypisano Twoją przeglądarkę',
      agreement: 'umowa między reklamodawcą a wydawcą',
      campaign: 'zamówienie kampanii na wszystkich stronach tego wydawcy',
    },
  },
  de: {
    title: 'Warum diese Anzeige?',
    intro: 'Sie sehen diese Anzeige, weil ein Werbetreibender sie beim Betreiber dieser Website gebucht hat.',
    behalf: 'Gezeigt im Auftrag von',
    paid: 'Bezahlt von',
    unknown: 'Vom Werbetreibenden nicht angegeben',
    parameters: 'Wonach sie ausgewählt wurde',
    personal: 'Eine pseudonyme Kennung Ihres Browsers lag vor, um zu begrenzen, wie oft Sie eine Anzeige sehen.',
    notPersonal: 'Sie wurde ohne Daten über Ihre Person ausgewählt.',
    gone: 'Der Werbetreibende dieser Anzeige ist hier nicht mehr bekannt.',
    by: {
      context: 'die Seite, die Sie lesen, und der Platz der Anzeige darauf',
      place: 'Ihr ungefährer Standort (Land, Region oder Stadt)',
      device: 'Ihr Gerätetyp, System oder Browser',
      time: 'die Tageszeit oder der Wochentag',
      language: 'Ihre Spracheinstellungen',
      profile: 'Interessengruppen, denen Ihr Browser zugeordnet wurde',
      agreement: 'eine Vereinbarung zwischen Werbetreibendem und Betreiber',
      campaign: 'die Buchung der Kampagne auf allen Seiten dieses Betreibers',
    },
  },
  fr: {
    title: 'Pourquoi cette publicité\u00A0?',
    intro: 'Vous voyez cette publicité parce qu’un annonceur l’a réservée auprès de l’éditeur de ce site.',
    behalf: 'Diffusée pour le compte de',
    paid: 'Payée par',
    unknown: 'Non précisé par l’annonceur',
    parameters: 'Ce qui l’a fait choisir',
    personal:
      'Un identifiant pseudonyme de votre navigateur était disponible pour limiter la fréquence d’affichage des publicités.',
    notPersonal: 'Elle a été choisie sans utiliser de données sur votre personne.',
    gone: 'L’annonceur de cette publicité n’est plus connu ici.',
    by: {
      context: 'la page que vous lisez et l’emplacement de la publicité',
      place: 'votre localisation approximative (pays, région ou ville)',
      device: 'votre type d’appareil, système ou navigateur',
      time: 'l’heure ou le jour de la semaine',
      language: 'vos réglages de langue',
      profile: 'les groupes d’intérêt attribués à votre navigateur',
      agreement: 'un accord entre l’annonceur et l’éditeur',
      campaign: 'la réservation de la campagne sur toutes les pages de cet éditeur',
    },
  },
  es: {
    title: '¿Por qué este anuncio?',
    intro: 'Ve este anuncio porque un anunciante lo contrató con el editor de este sitio.',
    behalf: 'Mostrado en nombre de',
    paid: 'Pagado por',
    unknown: 'El anunciante no lo ha indicado',
    parameters: 'Qué hizo que se eligiera',
    personal: 'Había un identificador seudónimo de su navegador para limitar la frecuencia con que ve un anuncio.',
    notPersonal: 'Se eligió sin usar datos sobre usted como persona.',
    gone: 'El anunciante de este anuncio ya no se conoce aquí.',
    by: {
      context: 'la página que está leyendo y el lugar del anuncio en ella',
      place: 'su ubicación aproximada (país, región o ciudad)',
      device: 'su tipo de dispositivo, sistema o navegador',
      time: 'la hora o el día de la semana',
      language: 'sus ajustes de idioma',
      profile: 'los grupos de interés asignados a su navegador',
      agreement: 'un acuerdo entre el anunciante y el editor',
      campaign: 'la contratación de la campaña en todas las páginas de este editor',
    },
  },
};
