import { ACTION } from './record-kinds/action.ts';
import type { RecordKind } from './record-kinds/record-kind.ts';

/** Every kind of rows that the log covers, by the type that the wire names it by. */
export const RECORD_KINDS = { action: ACTION } as const satisfies Readonly<Record<string, RecordKind>>;
export type RecordType = keyof typeof RECORD_KINDS;
export const RECORD_TYPES = Object.keys(RECORD_KINDS) as readonly RecordType[];
