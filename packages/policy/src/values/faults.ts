import { escapePointerToken, type Fault } from '@svc/contract/rows/fault.ts';

export type { Fault };

/** Maximum number of reported faults; the rest is left out. */
const FAULTS_MAX = 200;

export const addFault = (faults: Fault[], pointer: string, message: string): void => {
  if (faults.length < FAULTS_MAX) faults.push({ pointer: pointer.toWellFormed(), message: message.toWellFormed() });
};

/** Returns the pointer one member or element further down. */
export const below = (pointer: string, key: string | number): string => `${pointer}/${escapePointerToken(String(key))}`;
