import { ACTION_COMMANDS } from './actions/list.ts';
import { OPERATION_COMMANDS } from './agents/list.ts';
import { SESSION_COMMANDS } from './commands/session-list.ts';
import type { HandCommand } from './session/hand-command.ts';
import type { CommandRow } from './table/command-table.ts';

/** Every command written by hand. One with the words of an operation takes its place. */
export const HAND_COMMANDS: readonly HandCommand[] = [...SESSION_COMMANDS, ...ACTION_COMMANDS, ...OPERATION_COMMANDS];

/** The words of every command. */
export const allCommands = (table: readonly CommandRow[]): readonly (readonly string[])[] => [
  ...HAND_COMMANDS.map(({ words }) => words),
  ...table.map(({ words }) => words),
];
