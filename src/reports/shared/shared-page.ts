import { dayText, type SharedReport, type SharedRow } from './shared-report.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

const CHART = { width: 960, height: 260, left: 64, bottom: 28, top: 12 };
const TICKS = 4;

/** The page of a shared report: no script, nothing from elsewhere, ready to print. @param pdfPath address of the same as PDF */
export function renderSharedPage(report: SharedReport, pdfPath: string): string {
  const { campaign, span, madeAt } = report;
  const title = `${campaign.name} – ${campaign.advertiser}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<p class="from"><bdi>${escapeHtml(campaign.network)}</bdi></p>
<h1><bdi>${escapeHtml(campaign.name)}</bdi></h1>
<p><bdi>${escapeHtml(campaign.advertiser)}</bdi>${span === '' ? '' : ` · ${escapeHtml(span)}`}</p>
<p class="actions"><a href="${escapeHtml(pdfPath)}" download>Download as PDF</a></p>
</header>
${report.days.length === 0 ? '<p class="empty">Nothing was delivered yet.</p>' : sections(report)}
<footer>
<p>Figures of ${escapeHtml(madeAt)}, days in ${escapeHtml(campaign.timezone)}. This link works until ${escapeHtml(
    dayText(campaign.expiresAt.toISOString().slice(0, 10)),
  )}.</p>
</footer>
</main>
</body>
</html>
`;
}

function sections(report: SharedReport): string {
  const tiles = report.heads.map(
    (head, at) => `<div><dt>${escapeHtml(head)}</dt><dd>${escapeHtml(report.total.cells[at] ?? '')}</dd></div>`,
  );
  const row = ({ name, cells }: SharedRow): string =>
    `<tr><th scope="row"><bdi>${escapeHtml(name)}</bdi></th>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;
  return `<dl class="tiles">${tiles.join('')}</dl>
<section><h2>Impressions by day</h2>${renderChart(report)}</section>
<section><h2>Line items</h2><div class="wide"><table>
<thead><tr><th scope="col">Line item</th>${report.heads.map((head) => `<th scope="col">${escapeHtml(head)}</th>`).join('')}</tr></thead>
<tbody>${report.lineItems.map(row).join('')}</tbody>
<tfoot>${row(report.total)}</tfoot>
</table></div></section>`;
}

/** Bars of impressions, drawn by the server. */
function renderChart({ days }: SharedReport): string {
  const top = niceMax(Math.max(...days.map(({ impressions }) => impressions)));
  const { width, height, left, bottom } = CHART;
  const inner = { width: width - left, height: height - bottom - CHART.top };
  const y = (value: number): number => CHART.top + inner.height * (1 - value / top);
  const step = inner.width / days.length;
  const bars = days.map(({ day, impressions }, at) => {
    const x = left + at * step + step * 0.1;
    const label = `${dayText(day)}: ${impressions.toLocaleString('en-GB')} impressions`;
    return `<rect x="${x.toFixed(1)}" y="${y(impressions).toFixed(1)}" width="${(step * 0.8).toFixed(1)}" height="${(
      height - bottom - y(impressions)
    ).toFixed(1)}"><title>${escapeHtml(label)}</title></rect>`;
  });
  const lines = Array.from({ length: TICKS + 1 }, (_, at) => (top / TICKS) * at).map(
    (value) =>
      `<line x1="${left}" x2="${width}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}"/><text x="${left - 8}" y="${(
        y(value) + 4
      ).toFixed(1)}" text-anchor="end">${value.toLocaleString('en-GB')}</text>`,
  );
  const every = Math.max(1, Math.ceil(days.length / 8));
  const names = days.map(({ day }, at) =>
    at % every === 0
      ? `<text x="${(left + at * step + step / 2).toFixed(1)}" y="${height - 8}" text-anchor="middle">${escapeHtml(
          dayText(day).replace(/ \d{4}$/, ''),
        )}</text>`
      : '',
  );
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Impressions by day">${lines.join('')}<g class="bars">${bars.join('')}</g>${names.join('')}</svg>`;
}

/** A round number at or above a value, divisible by the ticks. */
export function niceMax(value: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  const nice = [1, 2, 4, 5, 10].map((factor) => factor * step).find((one) => one >= value) ?? 10 * step;
  return Math.max(TICKS, nice);
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2330; --soft: #5b6475; --line: #dfe3ea; --paper: #fff; --bar: #2f6fde; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf1; --soft: #a0a9ba; --line: #343b49; --paper: #151920; --bar: #6ea0ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1040px; margin: 0 auto; padding: 32px 20px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 32px 0 8px; }
header p { margin: 4px 0; color: var(--soft); }
.from { font-weight: 600; }
a { color: var(--bar); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(128px, 1fr)); gap: 12px; margin: 24px 0 0; }
.tiles div { border: 1px solid var(--line); border-radius: 8px; padding: 12px 14px; }
dt { color: var(--soft); font-size: 14px; }
dd { margin: 0; font-size: 22px; font-weight: 650; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: auto; }
svg line { stroke: var(--line); }
svg text { fill: var(--soft); font-size: 12px; }
.bars { fill: var(--bar); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 8px 10px; border-bottom: 1px solid var(--line); text-align: right; }
th[scope=row], thead th:first-child { text-align: left; font-weight: 500; min-width: 160px; overflow-wrap: anywhere; }
tfoot th, tfoot td { font-weight: 650; border-bottom: 0; }
footer p { color: var(--soft); font-size: 14px; margin-top: 32px; }
.empty { margin: 48px 0; }
@media print { :root { color-scheme: light; --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --bar: #2f6fde; } .actions { display: none; } main { padding: 0; } section { break-inside: avoid; } .bars { print-color-adjust: exact; } }
`;
