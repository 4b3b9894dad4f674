import type { AdSize, CatalogRow, ShownAd } from '../api/bookings/catalog.ts';
import { ReviewWord } from '../delivery/state-words.tsx';
import { say } from '../messages/say.ts';
import type { DeskColumn } from '../tables/desk-columns.ts';
import { AdThumbnail } from '../ui/ad-frame.tsx';
import { drawn, sizeOf, text } from './catalog-columns.tsx';

type NamedAd = ShownAd & Pick<CatalogRow, 'name'>;

/** Of the table: no higher than its rows. */
const PICTURE = { width: 76, height: 38 };

/** A picture of an ad, drawn by the ad. */
export function AdPicture({ ad, box = PICTURE }: { readonly ad: NamedAd; readonly box?: AdSize }) {
  const { name, preview, width, height } = ad;
  return <AdThumbnail url={preview.url} size={{ width, height }} title={say('catalog.picture', { name })} box={box} />;
}

/** The format of an ad and its size, in words. */
export function formatOf({ format, width, height }: ShownAd): string {
  return `${say(`creative_format.${format}`)}, ${sizeOf(width, height)}`;
}

/** The first columns of creatives: the ad, its review and its format. */
export function adColumns<Row extends NamedAd>(): readonly DeskColumn<Row>[] {
  return [
    drawn('picture', 90, (ad) => <AdPicture ad={ad} />),
    drawn('review', 165, ({ reviewState }) => <ReviewWord state={reviewState} />),
    text('format', 175, formatOf),
  ];
}
