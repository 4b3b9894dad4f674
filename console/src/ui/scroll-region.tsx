/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- keys scroll a region that has the focus */
import type { ReactNode } from 'react';

const HEIGHT_MAX_PX = 320;

/** A part of a page that scrolls by itself, by keyboard as well. */
export function ScrollRegion({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <section aria-label={label} tabIndex={0} style={{ maxHeight: HEIGHT_MAX_PX, overflow: 'auto' }}>
      {children}
    </section>
  );
}
