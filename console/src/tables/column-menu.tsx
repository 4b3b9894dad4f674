import { ActionIcon, Button, Checkbox, Group, Popover, ScrollArea, Stack } from '@mantine/core';
import { isMessageKey, say } from '../messages/say.ts';

/** Chooses which columns a table shows, and in which order. */
export function ColumnMenu({
  shown,
  all,
  onChange,
}: {
  readonly shown: readonly string[];
  readonly all: readonly string[];
  onChange: (columns: readonly string[]) => void;
}) {
  const others = all.filter((id) => !shown.includes(id));
  const move = (id: string, by: 1 | -1): void => {
    const at = shown.indexOf(id);
    const next = shown.filter((one) => one !== id);
    onChange([...next.slice(0, at + by), id, ...next.slice(at + by)]);
  };
  return (
    <Popover position="bottom-end" trapFocus width={280}>
      <Popover.Target>
        <Button size="xs" variant="default">
          {say('desk.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ScrollArea.Autosize mah={380}>
          <Stack gap={4}>
            {[...shown, ...others].map((id) => {
              const isShown = shown.includes(id);
              const name = nameOf(id);
              return (
                <Group key={id} justify="space-between" wrap="nowrap" gap={4}>
                  <Checkbox
                    size="xs"
                    label={name}
                    checked={isShown}
                    onChange={() => onChange(isShown ? shown.filter((one) => one !== id) : [...shown, id])}
                  />
                  {isShown ? (
                    <Group gap={2} wrap="nowrap">
                      <MoveButton
                        sign="↑"
                        label={say('desk.column_up', { name })}
                        isOff={id === shown[0]}
                        onClick={() => move(id, -1)}
                      />
                      <MoveButton
                        sign="↓"
                        label={say('desk.column_down', { name })}
                        isOff={id === shown.at(-1)}
                        onClick={() => move(id, 1)}
                      />
                    </Group>
                  ) : null}
                </Group>
              );
            })}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}

function MoveButton({
  sign,
  label,
  isOff,
  onClick,
}: {
  readonly sign: string;
  readonly label: string;
  readonly isOff: boolean;
  onClick: () => void;
}) {
  return (
    <ActionIcon size="sm" variant="subtle" aria-label={label} disabled={isOff} onClick={onClick}>
      {sign}
    </ActionIcon>
  );
}

function nameOf(id: string): string {
  const key = `desk_column.${id}`;
  return isMessageKey(key) ? say(key) : id;
}
