import PDFDocument from 'pdfkit';
import { BOLD, oneLine, PdfText, PLAIN } from './pdf-text.ts';
import { niceMax } from './shared-page.ts';
import { dayText, type SharedReport, type SharedRow } from './shared-report.ts';

const MARGIN = 48;
const CHART_HEIGHT = 150;
const ROW_HEIGHT = 20;
const INK = '#1d2330';
const SOFT = '#5b6475';
const LINE = '#c9cfd9';
const BAR = '#2f6fde';
/** A shared report as PDF on A4, landscape, with the figures of the page. */
export function renderSharedPdf(report: SharedReport): Promise<Buffer> {
  const { campaign, span, madeAt } = report;
  const document = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margin: MARGIN,
    info: { Title: oneLine(`${campaign.name} - ${campaign.advertiser}`), Creator: 'Placard' },
  });
  const text = new PdfText(document);
  const bytes = collect(document);
  document.fillColor(SOFT).font(BOLD).fontSize(10).text(text.print(campaign.network));
  document.fillColor(INK).fontSize(20).text(text.print(campaign.name));
  document
    .font(PLAIN)
    .fontSize(11)
    .fillColor(SOFT)
    .text(text.print(`${campaign.advertiser}   ${span}`));
  document.moveDown();
  if (report.days.length === 0) document.fillColor(INK).text('Nothing was delivered yet.');
  else {
    drawChart(document, report);
    drawTable(document, report, text);
  }
  document.moveDown();
  document.font(PLAIN).fontSize(9).fillColor(SOFT);
  document.text(text.print(`Figures of ${madeAt}, days in ${campaign.timezone}.`), MARGIN);
  if (text.lacksGlyphs)
    document.text('A box stands for a letter that this document has no font for. The page shows it.', MARGIN);
  document.end();
  return bytes;
}

function collect(document: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
}

function widthOf(document: PDFKit.PDFDocument): number {
  return document.page.width - 2 * MARGIN;
}

function drawChart(document: PDFKit.PDFDocument, { days }: SharedReport): void {
  document.font(BOLD).fontSize(12).fillColor(INK).text('Impressions by day');
  const [top, left] = [document.y + 6, MARGIN + 56];
  const width = widthOf(document) - 56;
  const max = niceMax(Math.max(...days.map(({ impressions }) => impressions)));
  document.font(PLAIN).fontSize(8);
  for (let tick = 0; tick <= 4; tick += 1) {
    const y = top + CHART_HEIGHT * (1 - tick / 4);
    document
      .moveTo(left, y)
      .lineTo(left + width, y)
      .lineWidth(0.5)
      .strokeColor(LINE)
      .stroke();
    const label = ((max / 4) * tick).toLocaleString('en-GB');
    document.fillColor(SOFT).text(label, MARGIN, y - 4, { width: 50, align: 'right', lineBreak: false });
  }
  const step = width / days.length;
  for (const [at, { impressions }] of days.entries()) {
    const height = (CHART_HEIGHT * impressions) / max;
    document.rect(left + (at + 0.1) * step, top + CHART_HEIGHT - height, step * 0.8, height).fill(BAR);
  }
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  document.fillColor(SOFT).text(dayText(first), left, top + CHART_HEIGHT + 6, { lineBreak: false });
  document.text(dayText(last), left, top + CHART_HEIGHT + 6, { width, align: 'right', lineBreak: false });
  document.x = MARGIN;
  document.y = top + CHART_HEIGHT + 28;
}

function drawTable(document: PDFKit.PDFDocument, report: SharedReport, text: PdfText): void {
  const width = widthOf(document);
  const nameWidth = width * 0.32;
  const cellWidth = (width - nameWidth) / report.heads.length;
  const drawRow = ({ name, cells }: SharedRow, font: string): void => {
    if (document.y + ROW_HEIGHT > document.page.height - MARGIN) document.addPage();
    const y = document.y;
    document.font(font).fontSize(9).fillColor(INK);
    const line = { lineBreak: false, ellipsis: true, height: ROW_HEIGHT } as const;
    document.text(text.print(name), MARGIN, y, { ...line, width: nameWidth - 8 });
    for (const [at, cell] of cells.entries())
      document.text(text.print(cell), MARGIN + nameWidth + at * cellWidth, y, {
        ...line,
        width: cellWidth,
        align: 'right',
      });
    document
      .moveTo(MARGIN, y + ROW_HEIGHT - 6)
      .lineTo(MARGIN + width, y + ROW_HEIGHT - 6)
      .lineWidth(0.5)
      .strokeColor(LINE)
      .stroke();
    document.x = MARGIN;
    document.y = y + ROW_HEIGHT;
  };
  drawRow({ name: 'Line item', cells: report.heads }, BOLD);
  for (const row of report.lineItems) drawRow(row, PLAIN);
  drawRow(report.total, BOLD);
}
