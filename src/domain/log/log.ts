import type { LogCode } from './log-events.ts';

/** The value of a field of a log line: one value or a short list, never an object with members of its own. */
export type LogValue = string | number | boolean | null | undefined | readonly (string | number)[];

/** Members of a line that the log itself writes. */
type OwnName = 'event' | 'level' | 'time' | 'msg' | 'part' | 'pid';

/** `err` may be anything that was thrown: the log reduces it. */
export type LogFields<F> = {
  readonly [K in keyof F]: K extends 'err' ? unknown : K extends OwnName ? never : LogValue;
};

/** Where the service logs. A line is an event of the table: its code decides level and sentence. */
export interface Log {
  event<F extends object>(code: LogCode, fields?: F & LogFields<F>): void;
}

/** A log that writes nothing, for commands that report in their own way. */
export const SILENT_LOG: Log = { event: () => undefined };
