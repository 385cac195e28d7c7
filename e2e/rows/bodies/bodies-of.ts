import type { OperationName } from '@svc/contract/endpoints.ts';
import type { Setting } from '../setting.ts';

/** What a body is made for: the setting, and a number that no other body has. */
export type Asked = { readonly setting: Setting; readonly made: number };

export type Bodies = Partial<Record<OperationName, Record<string, unknown>>>;

export const reason = 'because';
