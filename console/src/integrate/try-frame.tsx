import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { say } from '../messages/say.ts';
import { framePage, type SnippetFacts } from './snippets.ts';

/** What the page in the frame has told. */
interface Told {
  readonly request?: string;
  readonly response?: string;
  readonly status?: number;
  readonly event?: string;
}

const HEIGHT_MIN_PX = 120;
const HEIGHT_MAX_PX = 1_200;

/** Requests an ad as a page does, and shows the request, the response and the ad. */
export function TryFrame({ facts }: { readonly facts: SnippetFacts }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [run, setRun] = useState(0);
  const [told, setTold] = useState<Told>({});
  const [height, setHeight] = useState(HEIGHT_MIN_PX);
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<unknown>): void => {
      if (source === null || source !== frame.current?.contentWindow) return;
      const given = data as (Told & { placard?: unknown; height?: unknown }) | null;
      if (given?.placard !== 'try') return;
      setTold((before) => ({ ...before, ...given }));
      if (typeof given.height === 'number')
        setHeight(Math.min(HEIGHT_MAX_PX, Math.max(HEIGHT_MIN_PX, given.height + 8)));
    };
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, []);
  const start = (): void => {
    setTold({});
    setRun(run + 1);
  };
  return (
    <Stack gap="sm">
      <Group>
        <Button onClick={start}>{say('action.try')}</Button>
        <Text c="dimmed" size="sm">
          {say('integrate.try_note')}
        </Text>
      </Group>
      {run === 0 ? null : (
        <>
          <div aria-live="polite">
            <Text fw={600}>{outcome(told)}</Text>
          </div>
          <iframe
            key={run}
            ref={frame}
            title={say('integrate.frame')}
            src={framePage(facts, true)}
            sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
            style={{ border: '1px dashed var(--mantine-color-default-border)', width: '100%', height }}
          />
          <Exchange title={say('integrate.request')} text={told.request} />
          <Exchange title={say('integrate.response', { status: told.status ?? 0 })} text={told.response} />
        </>
      )}
    </Stack>
  );
}

function outcome({ event, status }: Told): string {
  if (event === 'filled') return say('integrate.filled');
  if (event === 'empty') return say('integrate.empty');
  if (event === 'error') return say('integrate.failed');
  return say(status === undefined ? 'integrate.waiting' : 'integrate.drawing');
}

function Exchange({ title, text }: { readonly title: string; readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <section aria-label={title}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Code
        block
        tabIndex={0}
        style={{ maxHeight: '20rem', overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {indented(text)}
      </Code>
    </section>
  );
}

/** JSON in lines; any other text as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
