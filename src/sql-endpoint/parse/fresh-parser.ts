import { GrammarError, type WasmParser } from './wasm-parser.ts';

/** A parser that is replaced after an error of its own, which may leave its memory in any state. */
export class FreshParser {
  readonly #create: () => Promise<WasmParser>;
  #present: Promise<WasmParser> | null = null;

  constructor(create: () => Promise<WasmParser>) {
    this.#create = create;
  }

  /** Calls `use` with a parser that no text has broken. @throws what `use` throws */
  async run<Result>(use: (parse: WasmParser) => Result): Promise<Result> {
    const awaited = (this.#present ??= this.#create());
    const parse = await awaited.catch((error: unknown) => {
      this.#present = null;
      throw error;
    });
    // Another text may have broken the parser meanwhile.
    if (awaited !== this.#present) return this.run(use);
    try {
      return use(parse);
    } catch (error) {
      if (!(error instanceof GrammarError)) this.#present = null;
      throw error;
    }
  }
}
