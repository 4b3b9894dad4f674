import { Tooltip } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

const WIDTH_PX = 280;
/** A pointer that only passes opens nothing. */
const OPEN_AFTER_MS = 250;

/** Shows what a word means while the element below has the pointer or the focus, or after a tap. Without a text, only the element. */
export function Explained({ text, children }: { readonly text: string | undefined; readonly children: ReactNode }) {
  if (text === undefined || text === '') return children;
  return (
    <Tooltip
      label={text}
      multiline
      maw={WIDTH_PX}
      openDelay={OPEN_AFTER_MS}
      events={{ hover: true, focus: true, touch: true }}
      classNames={{ tooltip: 'explanation' }}
    >
      {children as ReactElement}
    </Tooltip>
  );
}

/** A word with its meaning, as a button: what has the focus is read out with its description. */
export function Term({ text, children }: { readonly text: string | undefined; readonly children: ReactNode }) {
  if (text === undefined || text === '') return <span style={{ fontWeight: 600 }}>{children}</span>;
  return (
    <Explained text={text}>
      <button type="button" className="sort-button term-button">
        {children}
      </button>
    </Explained>
  );
}
