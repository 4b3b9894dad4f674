import { ActionIcon, Group, Select, SimpleGrid, TagsInput, Textarea, TextInput } from '@mantine/core';
import { COMPANION_MODES, OPTIMISATION_GOALS, ROADBLOCKS, ROTATIONS } from '../../api/bookings/line-item-settings.ts';
import { say } from '../../messages/say.ts';
import { CustomFields } from '../../pickers/custom-fields.tsx';
import { MemberSelect } from '../../pickers/member-select.tsx';
import { ObjectPicker } from '../../pickers/object-picker.tsx';
import { useSettingChoices } from '../../pickers/use-setting-choices.ts';
import { Icon } from '../../ui/icons.tsx';
import type { ControlProps } from './control-props.ts';
import { FaultText } from './fault-text.tsx';

/** How its creatives are chosen, and how many of them stand on a page. */
export function CreativesControl({ part: { draft, change, fault } }: ControlProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label={say('field.creativeRotation')}
        data={ROTATIONS.map((value) => ({ value, label: say(`item_form.rotation_${value}`) }))}
        value={draft.creativeRotation}
        error={fault('creativeRotation')}
        allowDeselect={false}
        onChange={(value) =>
          change({ creativeRotation: ROTATIONS.find((one) => one === value) ?? draft.creativeRotation })
        }
      />
      <Select
        label={say('field.optimisationGoal')}
        placeholder={say('value.none')}
        data={OPTIMISATION_GOALS.map((value) => ({ value, label: say(`item_form.optimise_${value}`) }))}
        value={draft.optimisationGoal}
        error={fault('optimisationGoal')}
        clearable
        clearButtonProps={{ 'aria-label': say('action.clear') }}
        onChange={(value) => change({ optimisationGoal: OPTIMISATION_GOALS.find((one) => one === value) ?? null })}
      />
      <Select
        label={say('field.roadblock')}
        data={ROADBLOCKS.map((value) => ({ value, label: say(`item_form.roadblock_${value}`) }))}
        value={draft.roadblock}
        error={fault('roadblock')}
        allowDeselect={false}
        onChange={(value) => change({ roadblock: ROADBLOCKS.find((one) => one === value) ?? draft.roadblock })}
      />
      <Select
        label={say('field.companionMode')}
        data={COMPANION_MODES.map((value) => ({ value, label: say(`item_form.companions_${value}`) }))}
        value={draft.companionMode}
        error={fault('companionMode')}
        allowDeselect={false}
        onChange={(value) =>
          change({ companionMode: COMPANION_MODES.find((one) => one === value) ?? draft.companionMode })
        }
      />
    </SimpleGrid>
  );
}

/** The activities whose conversions count for it; an empty list counts every one. */
export function ActivitiesControl({ part: { draft, change, fault }, words }: ControlProps) {
  const counted = draft.countedActivities;
  const add = (activityId: string): void => {
    if (activityId === '' || counted.some((one) => one.activityId === activityId)) return;
    change({ countedActivities: [...counted, { activityId, events: [] }] });
  };
  return (
    <>
      <ObjectPicker
        kind="activities"
        label={say('item_form.activity_add')}
        placeholder={counted.length === 0 ? say('item_form.every_activity') : ''}
        value=""
        onChange={add}
      />
      {counted.map(({ activityId, events }) => {
        const name = words.nameOf('activities', activityId);
        const others = counted.filter((one) => one.activityId !== activityId);
        return (
          <Group key={activityId} gap="xs" align="flex-end" wrap="nowrap">
            <TagsInput
              style={{ flex: 1 }}
              label={say('item_form.activity_events', { name })}
              value={[...events]}
              acceptValueOnBlur
              onChange={(next) =>
                change({
                  countedActivities: counted.map((one) =>
                    one.activityId === activityId ? { activityId, events: next } : one,
                  ),
                })
              }
            />
            <ActionIcon
              aria-label={say('item_form.activity_remove', { name })}
              onClick={() => change({ countedActivities: others })}
            >
              <Icon name="close" size={16} />
            </ActionIcon>
          </Group>
        );
      })}
      <FaultText text={fault('countedActivities')} />
    </>
  );
}

/** By what people find it, and who looks after it. */
export function PeopleControl({ part: { draft, change, fault } }: ControlProps) {
  const teams = useSettingChoices('lineItem')?.teams ?? [];
  return (
    <>
      <TagsInput
        label={say('field.labels')}
        value={[...draft.labels]}
        error={fault('labels')}
        acceptValueOnBlur
        onChange={(labels) => change({ labels })}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <MemberSelect
          label={say('field.owner')}
          value={draft.owner}
          error={fault('owner')}
          onChange={(owner) => change({ owner })}
        />
        <Select
          label={say('field.teamId')}
          placeholder={say('value.none')}
          data={teams.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.teamId}
          error={fault('teamId')}
          clearable
          clearButtonProps={{ 'aria-label': say('action.clear') }}
          onChange={(teamId) => change({ teamId })}
        />
        <TextInput
          label={say('field.externalId')}
          value={draft.externalId}
          error={fault('externalId')}
          onChange={(event) => change({ externalId: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Textarea
        label={say('field.notes')}
        autosize
        minRows={2}
        maxLength={2_000}
        value={draft.notes}
        error={fault('notes')}
        onChange={(event) => change({ notes: event.currentTarget.value })}
      />
    </>
  );
}

/** The custom fields that the network has for line items; nothing where it has none. */
export function CustomControl({ part: { draft, change, fault } }: ControlProps) {
  return (
    <>
      <CustomFields kind="lineItem" values={draft.customFields} onChange={(customFields) => change({ customFields })} />
      <FaultText text={fault('customFields')} />
    </>
  );
}
