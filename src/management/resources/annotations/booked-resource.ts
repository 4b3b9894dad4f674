import { type Resource, registerResource } from '../../kernel/resource.ts';
import { annotationFields, annotationFilters } from './annotation-fields.ts';
import './team.ts';

/** Registers a kind of booked object: it has notes, an owner, a team, labels and custom fields besides its own fields. */
export function registerBooked(given: Parameters<typeof registerResource>[0]): Resource {
  return registerResource({
    ...given,
    fields: [...given.fields, ...annotationFields(given.fields)],
    filters: [...given.filters, ...annotationFilters(given.filters)],
  });
}
