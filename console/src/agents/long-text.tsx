import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { say } from '../messages/say.ts';

const SHOWN_MAX = 240;

/** A stranger's text: its direction stays its own, and a long one is cut until somebody wants the whole. */
export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const isCut = !isWhole && text.length > SHOWN_MAX;
  return (
    <span style={{ overflowWrap: 'anywhere' }}>
      <bdi>{isCut ? cutText(text, SHOWN_MAX) : text}</bdi>
      {isCut ? (
        <>
          {' '}
          <Anchor component="button" type="button" inherit onClick={() => setIsWhole(true)}>
            {say('agents.whole')}
          </Anchor>
        </>
      ) : null}
    </span>
  );
}

/** The beginning of a text, without half a character at its end. */
export function cutText(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
