/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */
import { Button, CopyButton, Stack } from '@mantine/core';
import { say } from '../messages/say.ts';
import { Icon } from './icons.tsx';

/** A piece of code, and a button that copies it. */
export function CodeToCopy({ text }: { readonly text: string }) {
  return (
    <Stack gap="xs" align="flex-start">
      <pre className="code" tabIndex={0} style={{ width: '100%' }}>
        {text}
      </pre>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="default" leftSection={<Icon name={copied ? 'check' : 'copy'} size={16} />} onClick={copy}>
            {say(copied ? 'state.copied' : 'action.copy')}
          </Button>
        )}
      </CopyButton>
    </Stack>
  );
}
