import type { Cli } from '../session/cli.ts';

export type HandOptions = Readonly<Record<string, unknown>>;
/** Resolves to the exit code, or to nothing for success. */
export type RunCommand = (cli: Cli, args: readonly string[], options: HandOptions) => Promise<unknown>;

/** A command written by hand: a flow, a picture, or several calls. Its module is loaded when it runs. */
export type HandCommand = {
  readonly words: readonly string[];
  readonly summary: string;
  /** Positional arguments, such as `<action>` or `[files...]`, each with its description. */
  readonly args?: readonly (readonly [name: string, description: string])[];
  readonly options?: readonly (readonly [flags: string, description: string])[];
  readonly examples: readonly [string, ...string[]];
  /** Takes everything after its arguments as it is, such as the command that a proxy starts. */
  readonly passThrough?: true;
  readonly aliases?: readonly string[];
  readonly load: () => Promise<RunCommand>;
};
