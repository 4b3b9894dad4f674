import { BREAK, type DocumentNode, Kind, visit } from 'graphql';
import { PlacardError } from '../../domain/errors.ts';
import { findUnstorableText, isStorableText } from '../../domain/text/stored-text.ts';

/**
 * Refuses texts that cannot be stored, in the variables and in the document itself, whatever they are for.
 * @throws PlacardError `invalid_request` naming the variable's path, or the argument or field of the literal
 */
export function refuseUnstorableTexts(document: DocumentNode, variables: Readonly<Record<string, unknown>>): void {
  const path = findUnstorableText(variables, '') ?? knownLiteral(document);
  if (path === null) return;
  const message = 'Remove U+0000 and halves of surrogate pairs: they cannot be stored.';
  throw new PlacardError('invalid_request', `${path}: ${message}`, {
    fields: [{ path, code: 'malformed', message }],
  });
}

/** Documents are kept between requests. */
const known = new WeakMap<DocumentNode, { readonly path: string | null }>();

function knownLiteral(document: DocumentNode): string | null {
  const found = known.get(document) ?? { path: findLiteral(document) };
  known.set(document, found);
  return found.path;
}

/** Names from the outermost argument to the text, such as `input.html`. */
function findLiteral(document: DocumentNode): string | null {
  const names: string[] = [];
  let found: string | null = null;
  const named = {
    enter: (node: { readonly name: { readonly value: string } }): void => void names.push(node.name.value),
    leave: (): void => void names.pop(),
  };
  visit(document, {
    [Kind.ARGUMENT]: named,
    [Kind.OBJECT_FIELD]: named,
    [Kind.STRING]: (node) => {
      if (isStorableText(node.value)) return undefined;
      found = names.join('.') || 'query';
      return BREAK;
    },
  });
  return found;
}
