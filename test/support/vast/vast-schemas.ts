import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The path of IAB's `vast_4.2.xsd`; '' = documents are not held against it. Needs `xmllint` (libxml2-utils). */
export const VAST_XSD = process.env['VAST_XSD'] ?? '';
/** The path of IAB's `vmap.xsd`; as {@link VAST_XSD}. */
export const VMAP_XSD = process.env['VMAP_XSD'] ?? '';

/** A schema that accepts any VAST document: the schema of VMAP imports a schema of VAST. */
const ANY_VAST =
  '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.iab.net/videosuite/vast">' +
  '<xs:element name="VAST"><xs:complexType><xs:sequence><xs:any processContents="skip" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>' +
  '<xs:attribute name="version"/></xs:complexType></xs:element></xs:schema>';

/** The messages of `xmllint` about documents with the macros of players filled in; '' when all are valid. */
export function schemaComplaints(documents: readonly string[], by: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'placard-test-vast-'));
  try {
    const path = join(folder, 'schema.xsd');
    copyFileSync(by, path);
    writeFileSync(join(folder, 'vast3_draft.xsd'), ANY_VAST);
    const names = documents.map((text, at) => {
      const name = join(folder, `${at}.xml`);
      writeFileSync(name, text.replaceAll('[ERRORCODE]', '900'));
      return name;
    });
    const run = spawnSync('xmllint', ['--noout', '--nonet', '--schema', path, ...names], { encoding: 'utf8' });
    return run.status === 0 ? '' : `${run.error?.message ?? ''}${run.stderr}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
