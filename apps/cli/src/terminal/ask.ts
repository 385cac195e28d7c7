import { CommandError, EXIT, getUsageError } from '../exit-codes.ts';
import type { Io } from './io.ts';

/** Prompts are written to standard error, so that standard output holds the result only. */
const loadPrompts = async (io: Io, missing: string) => {
  if (!io.interactive)
    throw getUsageError(
      `${missing} is needed, and there is no terminal to ask on.`,
      'Pass it as an option, or run the command in a terminal.',
    );
  const prompts = await import('@clack/prompts');
  const common = { input: io.stdin, output: io.stderr };
  const taken = <Value>(value: Value | symbol): Value => {
    if (typeof value === 'symbol') throw new CommandError(EXIT.interrupted, 'Interrupted.');
    return value;
  };
  return { prompts, common, taken };
};

export const askText = async (io: Io, message: string, missing = message): Promise<string> => {
  const { prompts, common, taken } = await loadPrompts(io, missing);
  return taken<string>(await prompts.text({ ...common, message }));
};

/** Reads a secret without echo. */
export const askSecret = async (io: Io, message: string, missing = message): Promise<string> => {
  const { prompts, common, taken } = await loadPrompts(io, missing);
  return taken<string>(await prompts.password({ ...common, message }));
};

export const askChoice = async <Value extends string>(
  io: Io,
  message: string,
  choices: readonly { readonly value: Value; readonly label: string }[],
  missing = message,
): Promise<Value> => {
  const { prompts, common, taken } = await loadPrompts(io, missing);
  const answer = taken<string>(
    await prompts.select<string>({ ...common, message, options: choices.map(({ value, label }) => ({ value, label })) }),
  );
  const chosen = choices.find(({ value }) => value === answer);
  if (chosen === undefined) throw new CommandError(EXIT.interrupted, 'Interrupted.');
  return chosen.value;
};

/** Asks before a change that is hard to undo. `yes` answers without a question; without a terminal it is required. */
export const confirmDanger = async (io: Io, message: string, yes: boolean): Promise<void> => {
  if (yes) return;
  if (!io.interactive) throw getUsageError(`${message} This needs a confirmation, and there is no terminal to ask on.`, 'Add --yes.');
  const { prompts, common, taken } = await loadPrompts(io, '--yes');
  if (!taken<boolean>(await prompts.confirm({ ...common, message, initialValue: false })))
    throw new CommandError(EXIT.interrupted, 'Cancelled. Nothing was changed.');
};
