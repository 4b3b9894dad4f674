import type { EN_STUDIO } from '../en/studio.ts';
import type { TextsOf } from '../en/translation.ts';

/** German texts of the creative studio. */
export const DE_STUDIO = {
  'studio.audio_unmeasured': 'Die Länge dieses Tons lässt sich nicht lesen. Verwenden Sie eine andere Datei, etwa MP3.',
  'studio.add': '{count, plural, one {# Werbemittel hinzufügen} other {# Werbemittel hinzufügen}}',
  'studio.choose': 'Dateien wählen…',
  'studio.done':
    '{count, plural, one {# Werbemittel wurde hinzugefügt.} other {# Werbemittel wurden hinzugefügt.}} Sie werden ausgeliefert, sobald sie freigegeben und ihre Werbebuchungen aktiv sind.',
  'studio.drop': 'Dateien hier ablegen oder einfügen',
  'studio.drop_hint':
    'Bilder, HTML5-Pakete (ZIP), MP4-Filme und Tags als HTML- oder Textdateien; höchstens {max} auf einmal.',
  'studio.file_done':
    '{count, plural, =0 {In der Bibliothek des Werbekunden.} one {In der Bibliothek des Werbekunden und in {names}.} other {In der Bibliothek des Werbekunden und in {names}.}}',
  'studio.files': 'Dateien',
  'studio.height': 'Höhe',
  'studio.kilobytes': '{size} kB',
  'studio.kind_audio': 'Ton',
  'studio.kind_bundle': 'HTML5-Paket',
  'studio.kind_image': 'Bild',
  'studio.kind_markup': 'Tag',
  'studio.kind_video': 'Film',
  'studio.landing': 'Zielseite aller Dateien',
  'studio.landing_hint': 'Wohin ein Klick führt. Sie wird von den Werbemitteln übernommen, die die Kampagne schon hat.',
  'studio.lead':
    'Viele Dateien auf einmal werden Werbemittel von {campaign}. Jede wird den Werbebuchungen zugeordnet, die ihre Größe brauchen.',
  'studio.left_out': '{count, plural, one {# Datei ist nicht vollständig.} other {# Dateien sind nicht vollständig.}}',
  'studio.line_items': 'Werbebuchungen',
  'studio.markup_too_long': 'Der Code hat mehr als 200.000 Zeichen.',
  'studio.missing': 'Größen ohne Werbemittel',
  'studio.missing_click': 'Geben Sie die Zielseite an.',
  'studio.missing_line': '{name}: {sizes}',
  'studio.missing_more': '{count, plural, one {Und # weitere Werbebuchung.} other {Und # weitere Werbebuchungen.}}',
  'studio.missing_name': 'Geben Sie einen Namen an.',
  'studio.missing_size': 'Geben Sie Breite und Höhe an: Die Datei nennt sie nicht.',
  'studio.more_line_items':
    'Die Kampagne hat {total} Werbebuchungen. {shown} werden hier zugeordnet; ein Teil des Namens findet weitere.',
  'studio.name': 'Name',
  'studio.no_line_item':
    'Keine Werbebuchung braucht diese Größe. Ohne Werbebuchung bleibt das Werbemittel in der Bibliothek des Werbekunden.',
  'studio.preview': 'Vorschau von {name}',
  'studio.read_only': 'Ihre Rolle erlaubt hier keine Änderungen.',
  'studio.remove': '{name} weglassen',
  'studio.sending': 'Upload von {name}',
  'studio.title': 'Werbemittel hinzufügen',
  'studio.video_unmeasured': 'Länge und Größe dieses Films lassen sich nicht lesen. Verwenden Sie eine MP4-Datei.',
  'studio.width': 'Breite',
} satisfies TextsOf<typeof EN_STUDIO>;
