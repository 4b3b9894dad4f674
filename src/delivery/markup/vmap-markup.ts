import { cdata, escapeMarkup } from './markup.ts';
import { XML_DECLARATION } from './vast-markup.ts';

/** A break with the source of its ads. Texts are escaped here. */
export interface VmapBreak {
  /** As VMAP writes it. */
  readonly timeOffset: string;
  readonly breakId: string;
  /** An address that returns VAST, or the root element of a VAST document. */
  readonly source: { readonly tagUrl: string } | { readonly vast: string };
}

/** The template type of addresses: VMAP 1.0 names none newer. Players read the version from the document. */
const TEMPLATE_TYPE = 'vast3';

/** A VMAP 1.0.1 document. @param note a comment, from `xmlComment`, or '' */
export function renderVmap(breaks: readonly VmapBreak[], note = ''): string {
  const nodes = breaks.map(renderBreak).join('');
  return `${XML_DECLARATION}<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">${note}${nodes}</vmap:VMAP>`;
}

function renderBreak({ timeOffset, breakId, source }: VmapBreak, index: number): string {
  const content =
    'vast' in source
      ? `<vmap:VASTAdData>${source.vast}</vmap:VASTAdData>`
      : `<vmap:AdTagURI templateType="${TEMPLATE_TYPE}">${cdata(source.tagUrl)}</vmap:AdTagURI>`;
  return (
    `<vmap:AdBreak timeOffset="${escapeMarkup(timeOffset)}" breakType="linear" breakId="${escapeMarkup(breakId)}">` +
    `<vmap:AdSource id="${index + 1}" allowMultipleAds="false" followRedirects="true">${content}</vmap:AdSource></vmap:AdBreak>`
  );
}
