import { LABEL_LENGTH_MAX, LABELS_MAX } from '../../domain/frequency/label-cap.ts';
import type { Field } from '../kernel/field.ts';
import { textListField } from '../kernel/scalar-fields.ts';
import { overlaps, type Filter } from '../kernel/resource.ts';

/** Labels of an object, which `labelCaps` of the network count. */
export function labelsField(of: string): Field {
  return textListField({
    name: 'labels',
    description: `Labels of ${of}. Caps of the network by label (\`labelCaps\`) count all ads that bear one. At most ${LABELS_MAX}.`,
    lengthMax: LABEL_LENGTH_MAX,
    itemsMax: LABELS_MAX,
  });
}

export const LABELS_FILTER: Filter = overlaps('labels', 'labels', 'String', 'Only with one of these labels.');
