import { sandboxed } from './draw.ts';

/** The fragment of a preview link: `#placard-preview=<token>,<width>,<height>,<ad unit>`. Browsers send no fragment to the page's server. */
const FRAGMENT = '#placard-preview=';

/** Draws the creative of a preview link into its ad unit, where nothing is counted; false: the address asks for none here. */
export function drawPreview(element: HTMLElement, frameUrl: string): boolean {
  const [token = '', width, height, adUnit] = location.hash.replace(FRAGMENT, '').split(',');
  if (!location.hash.startsWith(FRAGMENT) || adUnit !== encodeURIComponent(element.dataset.adUnit ?? '')) return false;
  element.append(sandboxed(new URL(`preview/${token}`, frameUrl).href, width, height));
  return true;
}
