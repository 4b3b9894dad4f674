import { TEXT_VALUE_KINDS } from '../../../domain/booking/delivery-text.ts';
import type {
  DeliveryText,
  DeliveryTextCode,
  TextValue,
  TextValueKind,
} from '../../../domain/booking/delivery-text.ts';
import { DELIVERY_TEXTS } from '../../../domain/booking/delivery-texts.ts';
import { builder } from '../../kernel/builder.ts';

const CodeRef = builder.enumType('DeliveryTextCode', {
  description:
    'A part of a sentence about delivery, in English with its values in braces. Later versions may add codes.',
  values: Object.fromEntries(
    Object.entries(DELIVERY_TEXTS).map(([code, english]) => [
      code.toUpperCase(),
      { value: code as DeliveryTextCode, description: english.trim() },
    ]),
  ),
});

const ValueKindRef = builder.enumType('DeliveryTextValueKind', {
  description: 'The form of a value of a text.',
  values: Object.fromEntries(
    Object.entries(TEXT_VALUE_KINDS).map(([kind, description]) => [
      kind,
      { value: kind as TextValueKind, description },
    ]),
  ),
});

const ValueRef = builder.objectRef<TextValue>('DeliveryTextValue').implement({
  description: 'A value of a text, independent of any language.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name in braces.' }),
    kind: t.field({ type: ValueKindRef, description: 'Its form.', resolve: ({ kind }) => kind }),
    value: t.exposeString('value', { description: 'The value in that form.' }),
  }),
});

/** A part of a sentence as data. */
export const DeliveryTextRef = builder.objectRef<DeliveryText>('DeliveryText').implement({
  description:
    'A part of a sentence as a stable code with values: programs write it in the language of their user, and show the sentence itself for a code that they do not know.',
  fields: (t) => ({
    code: t.field({ type: CodeRef, description: 'Its code.', resolve: ({ code }) => code }),
    values: t.field({ type: [ValueRef], description: 'Its values, at most 6.', resolve: ({ values }) => [...values] }),
  }),
});
