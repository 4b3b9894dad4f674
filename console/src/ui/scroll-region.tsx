/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- keys scroll a region that has the focus */
import type { ReactNode } from 'react';

const HEIGHT_MAX_PX = 320;

/** A part of a page that scrolls by itself, by keyboard as well. */
export function ScrollRegion({
  label,
  heightMaxPx = HEIGHT_MAX_PX,
  children,
}: {
  readonly label: string;
  readonly heightMaxPx?: number;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={label} tabIndex={0} style={{ maxHeight: heightMaxPx, overflow: 'auto' }}>
      {children}
    </section>
  );
}
