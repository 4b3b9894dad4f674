import { ActionIcon, Group, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { say } from '../messages/say.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { MoveHandle, ResizeHandle, type WidgetDrag } from './widget-drag.tsx';
import { WIDGET_KINDS } from './widget-kinds.tsx';
import {
  TITLE_LENGTH_MAX,
  type Widget,
  type WidgetKindName,
  type WidgetOf,
  type WidgetWidth,
  type KnownViews,
} from './widgets.ts';

/** What is done with a widget of the dashboard that is edited. */
export type WidgetAction = 'earlier' | 'later' | 'width' | 'configure' | 'remove';

/** The buttons of a widget while its dashboard is edited, and the handles that do the same for a mouse or a finger. */
export function WidgetControls({
  widget: { id, kind, width },
  title,
  drag,
  isFirst,
  isLast,
  onAction,
}: {
  readonly widget: Widget;
  readonly title: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly drag: WidgetDrag;
  onAction: (action: WidgetAction) => void;
}) {
  const button = (action: WidgetAction, icon: IconName, label: string, isOff = false) => (
    <ActionIcon
      variant="default"
      data-action={action}
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={() => onAction(action)}
    >
      <Icon name={icon} size={16} />
    </ActionIcon>
  );
  return (
    <Group gap={4} wrap="nowrap">
      <MoveHandle id={id} title={say('dashboards.drag', { name: title })} drag={drag} />
      <ResizeHandle id={id} width={width} title={say('dashboards.pull', { name: title })} drag={drag} />
      {button('earlier', 'up', say('dashboards.earlier', { name: title }), isFirst)}
      {button('later', 'down', say('dashboards.later', { name: title }), isLast)}
      {button(
        'width',
        width === 'full' ? 'narrow' : 'widen',
        say(width === 'full' ? 'dashboards.narrow' : 'dashboards.widen', { name: title }),
      )}
      {kind === null ? null : button('configure', 'settings', say('dashboards.configure', { name: title }))}
      {button('remove', 'close', say('dashboards.remove', { name: title }))}
    </Group>
  );
}

/** The title, the width and the options of a widget, new or not. */
export function WidgetDialog<Kind extends WidgetKindName>({
  kind,
  widget,
  views,
  onDone,
  onClose,
}: {
  readonly kind: Kind;
  /** Null: a new one. */
  readonly widget: WidgetOf<Kind> | null;
  readonly views: KnownViews;
  onDone: (widget: Omit<WidgetOf<Kind>, 'id'>) => void;
  onClose: () => void;
}) {
  const { name, about, initial, width: usualWidth, Editor } = WIDGET_KINDS[kind];
  const [title, setTitle] = useState(widget?.title ?? '');
  const [width, setWidth] = useState<WidgetWidth>(widget?.width ?? usualWidth);
  const [options, setOptions] = useState(widget?.options ?? initial);
  const done = (): void => {
    if (options !== null) onDone({ kind, title: title.trim(), width, options });
  };
  return (
    <FormDialog
      title={say(name)}
      action={say(widget === null ? 'dashboards.add' : 'action.done')}
      submission={{ error: null, isPending: false, mutate: done }}
      isReady={options !== null}
      onClose={onClose}
    >
      <Text c="dimmed" size="sm">
        {say(about)}
      </Text>
      {Editor === null ? null : <Editor options={options} views={views} onChange={setOptions} />}
      <TextInput
        label={say('dashboards.title')}
        description={say('dashboards.title_hint')}
        value={title}
        maxLength={TITLE_LENGTH_MAX}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <SegmentedControl
        aria-label={say('dashboards.width')}
        data={(['half', 'full'] as const).map((value) => ({ value, label: say(`dashboards.width_${value}`) }))}
        value={width}
        onChange={(next) => setWidth(next as WidgetWidth)}
      />
    </FormDialog>
  );
}
