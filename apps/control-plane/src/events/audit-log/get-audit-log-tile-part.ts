import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { EventsDeps } from '../deps.ts';
import { answerTile } from './views/answer-tile.ts';

export const getAuditLogTilePart: Handler<Endpoints['getAuditLogTilePart'], EventsDeps> = async (call) => {
  const { tileLevel, tile, tileNext } = call.params;
  return (await answerTile(call, tileLevel, [tile, tileNext])) ?? call.refuse('NOT_FOUND');
};
