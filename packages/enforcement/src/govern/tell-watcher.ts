import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Command } from '../facts/decision-request.ts';
import type { GovernResult } from './govern.ts';

/** Reports the result of a request to telemetry and returns it. A replayed response was decided before. */
export const reportResult = <Result extends GovernResult>({ watcher }: Command, governed: Result): Result => {
  if (watcher === undefined || 'replayed' in governed) return governed;
  if (isRefusal(governed)) watcher.decided({ effect: null, code: governed.refused, actionId: null });
  else watcher.decided({ effect: governed.decision.decision, code: governed.code, actionId: governed.decision.action_id });
  return governed;
};
