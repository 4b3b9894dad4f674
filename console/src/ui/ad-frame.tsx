/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- keys scroll a region that has the focus */
/** The size of a frame in which a creative of any size is drawn. */
const ANY_SIZE = { width: 300, height: 250 } as const;

interface AdFrameProps {
  /** A signed address of a preview. */
  readonly url: string;
  /** 0 × 0: any size. */
  readonly size: { readonly width: number; readonly height: number };
  readonly title: string;
}

/** The address of the ad alone, on the address of this page: no other may be framed. */
function bareAddress(url: string): string {
  return `${new URL(url, window.location.href).pathname}?bare`;
}

function drawnSize({ width, height }: AdFrameProps['size']): AdFrameProps['size'] {
  return width === 0 || height === 0 ? ANY_SIZE : { width, height };
}

/** A small picture of an ad, drawn by the ad itself in a sandbox. It gets no clicks and no keys. */
export function AdThumbnail({ url, size, title, box }: AdFrameProps & { readonly box: AdFrameProps['size'] }) {
  const { width, height } = drawnSize(size);
  const scale = Math.min(box.width / width, box.height / height, 1);
  return (
    <span className="ad-thumbnail" style={{ width: Math.ceil(width * scale), height: Math.ceil(height * scale) }}>
      <iframe
        title={title}
        src={bareAddress(url)}
        sandbox="allow-scripts"
        loading="lazy"
        tabIndex={-1}
        inert
        style={{ width, height, transform: `scale(${scale})` }}
      />
    </span>
  );
}

/** An ad at its size in a sandbox: its clicks open their target in another tab, and nothing is counted. */
export function AdFrame({ url, size, title, scheme }: AdFrameProps & { readonly scheme: 'light' | 'dark' }) {
  const { width, height } = drawnSize(size);
  return (
    <section className="ad-stage" aria-label={title} tabIndex={0} data-scheme={scheme} style={{ colorScheme: scheme }}>
      <iframe
        title={title}
        src={bareAddress(url)}
        sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
        style={{ width, height }}
      />
    </section>
  );
}
