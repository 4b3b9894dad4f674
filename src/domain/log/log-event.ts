/** How severe an event is: `debug` and `info` need nobody, `warn` heals or costs little, `error` and `fatal` need an operator. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** One row of the table of log events. */
export interface LogEvent {
  readonly level: LogLevel;
  /** The event, as one sentence without values: those are fields of the line. */
  readonly sentence: string;
  /** The action of an operator; "Nothing." where none is needed. */
  readonly action: string;
}
