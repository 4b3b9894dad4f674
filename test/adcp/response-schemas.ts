import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';

/** Compiles the protocol's schemas of responses. */
export class ResponseSchemas {
  readonly #ajv: Ajv;
  readonly #prefix: string;

  /** @param folder with the schemas of one release, whose ids begin with `/schemas/<release>/` */
  constructor(folder: string) {
    this.#ajv = new Ajv({ strict: false, allErrors: false, validateFormats: false, allowUnionTypes: true });
    this.#prefix = `/schemas/${folder.replace(/^.*schemas-/, '')}/`;
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.json'));
    for (const name of names) {
      const schema = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { readonly $id?: string };
      // Some files are there twice, under the folders of two areas.
      if (schema.$id !== undefined && this.#ajv.schemas[schema.$id] === undefined) this.#ajv.addSchema(schema);
    }
  }

  /** What is wrong with a response; null when it fits the schema. */
  check(reference: string, response: unknown): string | null {
    const validate = this.#ajv.getSchema(`${this.#prefix}${reference}`) as ValidateFunction | undefined;
    if (validate === undefined) return `there is no schema ${reference}`;
    if (validate(response)) return null;
    return this.#ajv.errorsText(validate.errors, { separator: '; ' }).slice(0, 600);
  }
}
