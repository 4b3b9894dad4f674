import { type DocumentNode, Kind, visit } from 'graphql';
import { inNfc, inNfcExcept } from '../../domain/text/one-form.ts';

/**
 * Names of arguments and of fields whose texts are stored byte for byte, and all that is inside of them. Every other text that comes in is in NFC,
 * so that names are found and compared whichever form a keyboard or a file has.
 */
export const VERBATIM_FIELDS: ReadonlySet<string> = new Set([
  // Markup of third parties, and addresses, which another server reads byte by byte.
  'html',
  'clickUrl',
  'clickUrls',
  'iconUrl',
  'imageUrl',
  'impressionUrls',
  'url',
  'vastTagUrl',
  'viewableUrls',
  'webhookUrl',
  'whyLink',
  'zipUrl',
  // Ids of other systems, which get them back as they sent them.
  'advertiserExternalId',
  'campaignExternalId',
  'externalId',
  'externalIds',
  'creativeExternalId',
  'lineItemExternalId',
  'login',
  'masterCreativeExternalId',
  'seats',
  'task_external_id',
  'task_external_type',
  'userId',
  // Requests of other endpoints, which those endpoints read themselves.
  'bidRequest',
  'event',
]);

/** A value of an argument or of a field, or a row of a file, with its texts in NFC. */
export function inTextForm<T>(value: T): T {
  return inNfcExcept(value, VERBATIM_FIELDS) as T;
}

/** Variables with their texts in NFC. Their own names mean nothing. @param verbatim names of those that a verbatim field takes */
export function variablesInTextForm(
  variables: Readonly<Record<string, unknown>>,
  verbatim: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(variables);
  return Object.fromEntries(entries.map(([name, value]) => [name, verbatim.has(name) ? value : inTextForm(value)]));
}

/** A document with its literal texts in NFC. */
export interface FormedDocument {
  /** The given document itself where all of its texts are. */
  readonly document: DocumentNode;
  /** The variables that are given to verbatim fields. */
  readonly verbatimVariables: ReadonlySet<string>;
}

/** Brings the literals of a document into NFC. */
export function documentInTextForm(document: DocumentNode): FormedDocument {
  const verbatimVariables = new Set<string>();
  let verbatim = 0;
  const named = {
    enter: (node: { readonly name: { readonly value: string } }): void => {
      if (VERBATIM_FIELDS.has(node.name.value)) verbatim += 1;
    },
    leave: (node: { readonly name: { readonly value: string } }): void => {
      if (VERBATIM_FIELDS.has(node.name.value)) verbatim -= 1;
    },
  };
  const formed = visit(document, {
    [Kind.ARGUMENT]: named,
    [Kind.OBJECT_FIELD]: named,
    [Kind.VARIABLE]: (node) => {
      if (verbatim > 0) verbatimVariables.add(node.name.value);
    },
    [Kind.STRING]: (node) => {
      const value = inNfc(node.value);
      return verbatim > 0 || value === node.value ? undefined : { ...node, value };
    },
  });
  return { document: formed, verbatimVariables };
}
