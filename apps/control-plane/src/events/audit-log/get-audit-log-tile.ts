import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { EventsDeps } from '../deps.ts';
import { answerTile } from './views/answer-tile.ts';

export const getAuditLogTile: Handler<Endpoints['getAuditLogTile'], EventsDeps> = async (call) => {
  const { tileLevel, tile } = call.params;
  return (await answerTile(call, tileLevel, [tile])) ?? call.refuse('NOT_FOUND');
};
