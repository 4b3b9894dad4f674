import type { DemoAdvertiser } from './booking.ts';

/** An SVG banner of the advertiser at this size: a drawn horizon, its headline, line and call to action. Text only, no scripts. */
export function drawBanner(advertiser: DemoAdvertiser, width: number, height: number): string {
  const [dark, light] = advertiser.colours;
  const wide = width / height > 2.5;
  const margin = Math.round(Math.min(width, height) * 0.1);
  const headlineSize = wide ? height * 0.24 : width * 0.085;
  const textWidth = wide ? width * 0.6 : width - 2 * margin;
  const lines = wrap(advertiser.headline, Math.max(8, Math.floor(textWidth / (headlineSize * 0.55))));
  const small = Math.max(10, Math.round(headlineSize * 0.46));
  // Below the name of the advertiser, which small banners lack.
  const below = height >= 100 ? small : 0;
  const top = wide ? height / 2 - ((lines.length - 1) * headlineSize) / 2 + below : margin * 2.6 + headlineSize;
  const headline = lines
    .map(
      (line, row) =>
        `<text x="${margin}" y="${round(top + row * headlineSize * 1.15)}" font-size="${round(headlineSize)}" font-weight="700">${escapeText(line)}</text>`,
    )
    .join('');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(`${advertiser.name}: ${advertiser.headline}`)}">`,
    `<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${dark}"/><stop offset="1" stop-color="${mix(dark, light)}"/></linearGradient></defs>`,
    `<rect width="${width}" height="${height}" fill="url(#g)"/>`,
    hills(width, height, light),
    `<g fill="#fff" font-family="Georgia, 'Times New Roman', serif">${headline}</g>`,
    `<g fill="${light}" font-family="Helvetica, Arial, sans-serif" font-size="${small}">`,
    height >= 100
      ? `<text x="${margin}" y="${margin + small}" letter-spacing="1">${escapeText(advertiser.name.toUpperCase())}</text>`
      : '',
    '</g>',
    button(advertiser, { width, height, margin, small, wide }),
    '</svg>',
  ].join('');
}

/** A square icon: the advertiser's initial on its colour. */
export function drawIcon(advertiser: DemoAdvertiser): string {
  const [dark, light] = advertiser.colours;
  const initial = escapeText(advertiser.name.replace(/^The /, '').slice(0, 1));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80" viewBox="0 0 80 80" role="img" aria-label="${escapeText(advertiser.name)}"><rect width="80" height="80" rx="16" fill="${dark}"/><text x="40" y="56" font-size="46" font-family="Georgia, serif" font-weight="700" text-anchor="middle" fill="${light}">${initial}</text></svg>`;
}

interface ButtonPosition {
  readonly width: number;
  readonly height: number;
  readonly margin: number;
  readonly small: number;
  readonly wide: boolean;
}

function button(advertiser: DemoAdvertiser, position: ButtonPosition): string {
  const [dark, light] = advertiser.colours;
  const buttonWidth = Math.round(advertiser.callToAction.length * position.small * 0.62 + position.small * 2);
  const buttonHeight = Math.round(position.small * 2.1);
  const x = position.wide ? position.width - buttonWidth - position.margin * 1.5 : position.margin;
  const y = position.wide ? (position.height - buttonHeight) / 2 : position.height - buttonHeight - position.margin;
  return (
    `<rect x="${round(x)}" y="${round(y)}" width="${buttonWidth}" height="${buttonHeight}" rx="${round(buttonHeight / 2)}" fill="${light}"/>` +
    `<text x="${round(x + buttonWidth / 2)}" y="${round(y + buttonHeight / 2 + position.small * 0.35)}" text-anchor="middle" font-family="Helvetica, Arial, sans-serif" font-size="${position.small}" font-weight="700" fill="${dark}">${escapeText(advertiser.callToAction)}</text>`
  );
}

function hills(width: number, height: number, colour: string): string {
  const ridge = (base: number, swing: number, phase: number): string => {
    const points = Array.from(
      { length: 13 },
      (_, step) => `${round((width * step) / 12)},${round(height * (base + swing * Math.sin(step * 0.9 + phase)))}`,
    );
    return `<polygon points="0,${height} ${points.join(' ')} ${width},${height}" fill="${colour}" opacity="0.14"/>`;
  };
  const sun = `<circle cx="${round(width * 0.82)}" cy="${round(height * 0.28)}" r="${round(Math.min(width, height) * 0.16)}" fill="${colour}" opacity="0.5"/>`;
  return sun + ridge(0.62, 0.09, 0.4) + ridge(0.74, 0.07, 2.1) + ridge(0.86, 0.05, 4);
}

function wrap(text: string, charactersMax: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < charactersMax) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.slice(0, 4);
}

function mix(first: string, second: string): string {
  const channel = (at: number): string => {
    const a = Number.parseInt(first.slice(at, at + 2), 16);
    const b = Number.parseInt(second.slice(at, at + 2), 16);
    return Math.round(a * 0.72 + b * 0.28)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}
