import { setImmediate as nextTurn } from 'node:timers/promises';
import { SaxesParser } from 'saxes';

/** An element of a document: its own text without that of its children. Names with a prefix are left out, with what they hold. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** A document that is not well-formed XML, or beyond a bound. */
export class XmlProblem extends Error {
  override readonly name = 'XmlProblem';
}

const DEPTH_MAX = 32;
const ELEMENTS_MAX = 2_000;
const ATTRIBUTES_MAX = 100;
/** Characters that are read before other work gets its turn: a piece takes less than 5 ms. */
export const PIECE_CHARS = 16_384;

interface Open extends XmlElement {
  readonly attributes: Map<string, string>;
  readonly children: Open[];
  text: string;
}

/**
 * Reads an XML document of a stranger, piece by piece, so that no document keeps the process from its other requests. Entities of the document are an
 * error, as are a DOCTYPE, more than 32 levels, 2,000 elements or 100 attributes of an element.
 * @throws XmlProblem with a sentence
 */
export async function parseXml(text: string): Promise<XmlElement> {
  const reading = new XmlReading();
  for (let at = 0; at < text.length; at += PIECE_CHARS) {
    if (at > 0) await nextTurn();
    reading.write(text.slice(at, at + PIECE_CHARS));
  }
  return reading.end();
}

/** A document of which pieces have been read. */
export class XmlReading {
  readonly #parser = new SaxesParser({ xmlns: false, position: false });
  readonly #open: Open[] = [];
  #root: XmlElement | null = null;
  #elements = 0;
  #attributes = new Map<string, string>();

  constructor() {
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw new XmlProblem(error.message);
    });
    parser.on('doctype', () => {
      throw new XmlProblem('A DOCTYPE is not allowed.');
    });
    parser.on('attribute', ({ name, value }) => {
      if (this.#attributes.size >= ATTRIBUTES_MAX) throw new XmlProblem('An element has too many attributes.');
      this.#attributes.set(name, value);
    });
    parser.on('opentag', ({ name }) => this.#begin(name));
    parser.on('closetag', () => this.#close());
    parser.on('text', (text) => this.#add(text));
    parser.on('cdata', (text) => this.#add(text));
  }

  /** @throws XmlProblem */
  write(piece: string): void {
    this.#parser.write(piece);
  }

  /** The root. @throws XmlProblem */
  end(): XmlElement {
    this.#parser.close();
    if (this.#root === null) throw new XmlProblem('The document has no element.');
    return this.#root;
  }

  #begin(name: string): void {
    this.#elements += 1;
    if (this.#elements > ELEMENTS_MAX) throw new XmlProblem('The document has too many elements.');
    if (this.#open.length >= DEPTH_MAX) throw new XmlProblem('The elements of the document are nested too deeply.');
    const attributes = this.#attributes;
    this.#attributes = new Map();
    this.#open.push({ name, attributes, children: [], text: '' });
  }

  #add(text: string): void {
    const element = this.#open.at(-1);
    if (element !== undefined) element.text += text;
  }

  #close(): void {
    const element = this.#open.pop();
    if (element === undefined) return;
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#root = element;
    else if (!element.name.includes(':')) parent.children.push(element);
  }
}

/** The children of a name. */
export function childrenOf(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** The first element at the end of a path of names. */
export function findElement(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((at, name) => childrenOf(at, name)[0], element);
}

/** The trimmed texts of the children of a name, without empty ones. */
export function textsOf(element: XmlElement | undefined, name: string): string[] {
  return childrenOf(element, name)
    .map(({ text }) => text.trim())
    .filter((text) => text !== '');
}
