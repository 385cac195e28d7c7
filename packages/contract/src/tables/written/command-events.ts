import type { EventType } from '../events.ts';

/** Events that only commands of the operator write, by the name of the command. */
export const COMMAND_EVENTS = {
  subscription: ['subscription.updated'],
} as const satisfies Record<string, readonly EventType[]>;
