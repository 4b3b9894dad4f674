import { SimpleGrid, Text } from '@mantine/core';
import type { LineItemDetail } from '../../api/bookings/desk-object.ts';
import { FormSection } from '../../booking/form-section.tsx';
import { fieldName } from '../../changes/field-words.ts';
import { say } from '../../messages/say.ts';
import { SECTIONS } from './form-sections.ts';
import { describeSetting, settingsIn } from './item-settings.ts';
import { useWordContext } from './use-settings.ts';

const NO_CHANGES = { changes: [], unreadable: [] } as const;

/** Everything that is set of a line item, in words, for those who may not change it. */
export function SettingsFacts({ item, timezone }: { readonly item: LineItemDetail; readonly timezone: string }) {
  const words = useWordContext(item, NO_CHANGES, item.timezone ?? timezone);
  return SECTIONS.map(({ title, controls }) => (
    <FormSection key={title} title={say(title)}>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} m={0} spacing="xs">
        {settingsIn(controls).map((name) => (
          <div key={name}>
            <Text component="dt" size="sm" c="dimmed">
              {fieldName(name)}
            </Text>
            <Text component="dd" m={0} className="desk-value">
              <bdi>{describeSetting(name, item[name], words)}</bdi>
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </FormSection>
  ));
}
