import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { EventsDeps } from '../deps.ts';
import { answerTile } from './views/answer-tile.ts';

export const getAuditLogTileFar: Handler<Endpoints['getAuditLogTileFar'], EventsDeps> = async (call) => {
  const { tileLevel, tile, tileNext, tileThird } = call.params;
  return (await answerTile(call, tileLevel, [tile, tileNext, tileThird])) ?? call.refuse('NOT_FOUND');
};
