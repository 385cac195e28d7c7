import { ACTION_COMMANDS } from './lists/action-list.ts';
import { OPERATION_COMMANDS } from './lists/operation-list.ts';
import { POLICY_COMMANDS } from './lists/policy-list.ts';
import { PROJECT_COMMANDS } from './lists/project-list.ts';
import { SESSION_COMMANDS } from './lists/session-list.ts';
import type { HandCommand } from './session/hand-command.ts';
import type { CommandRow } from './table/command-table.ts';

/** Every command written by hand. One with the words of an operation takes its place. */
export const HAND_COMMANDS: readonly HandCommand[] = [
  ...SESSION_COMMANDS,
  ...PROJECT_COMMANDS,
  ...ACTION_COMMANDS,
  ...POLICY_COMMANDS,
  ...OPERATION_COMMANDS,
];

/** The words of every command. */
export const getAllCommands = (table: readonly CommandRow[]): readonly (readonly string[])[] => [
  ...HAND_COMMANDS.map(({ words }) => words),
  ...table.map(({ words }) => words),
];
