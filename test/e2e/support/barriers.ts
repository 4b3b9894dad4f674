import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/** What axe looks for: all that it knows, or only what depends on colours. */
const LOOK_FOR = {
  all: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  contrast: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} satisfies Readonly<Record<string, axe.RunOptions['runOnly']>>;

/** Nothing can be evaluated in a frame that runs no scripts: it would wait for ever. */
const SILENT_FRAME = 'iframe[sandbox=""]';

/**
 * The serious and critical findings of axe, a line each. axe looks from within the page, which leaves out frames of other origins, and
 * reports in full on violations alone.
 */
export async function findBarriers(page: Page, what: keyof typeof LOOK_FOR = 'all'): Promise<string[]> {
  for (const frame of page.frames()) await loadAxe(frame).catch((error: unknown) => ignoreDetached(frame, error));
  const options: axe.RunOptions = { runOnly: LOOK_FOR[what], resultTypes: ['violations'] };
  const { violations } = await page.evaluate(
    ({ exclude, wanted }) => (globalThis as unknown as { axe: typeof axe }).axe.run({ exclude }, wanted),
    { exclude: [SILENT_FRAME], wanted: options },
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 5)
        .map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary?.split('\n')[1]?.trim() ?? ''}`),
    );
}

/** The frames of a list that is drawn again are detached meanwhile: axe has nothing to look at in them. @throws the error of any other frame */
function ignoreDetached(frame: Frame, error: unknown): void {
  if (!frame.isDetached()) throw error;
}

/** Loads axe into a frame that runs scripts, once a document. */
async function loadAxe(frame: Frame): Promise<void> {
  const element = frame.parentFrame() === null ? null : await frame.frameElement().catch(() => null);
  if (element !== null && (await element.getAttribute('sandbox')) === '') return;
  if (await frame.evaluate('typeof axe === "object"')) return;
  await frame.evaluate(axe.source);
  await frame.evaluate(rememberColors);
}

/**
 * Runs in the page. axe parses the colours of each element and of all elements behind it, a sixth of its time; a page has a few dozen
 * colours.
 */
function rememberColors(): void {
  interface Color {
    r: number;
    g: number;
    b: number;
    alpha: number;
    parseString(text: string): Color;
  }
  const { axe: loaded } = globalThis as unknown as { axe: { commons: { color: { Color: { prototype: Color } } } } };
  const colors = new Map<string, readonly [number, number, number, number]>();
  const { prototype } = loaded.commons.color.Color;
  const parse = prototype.parseString;
  prototype.parseString = function parseOnce(this: Color, text: string): Color {
    const known = colors.get(text);
    if (known === undefined) {
      parse.call(this, text);
      colors.set(text, [this.r, this.g, this.b, this.alpha]);
    } else [this.r, this.g, this.b, this.alpha] = known;
    return this;
  };
}
