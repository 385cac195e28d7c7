import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ToolsDeps } from '../deps.ts';
import { findPlaceRefusal, keepImport } from './arriving/keep-import.ts';

/** Reads a document from the body or an address. It is fetched and parsed in a worker process, so no decision waits for it. */
export const createToolImport: Handler<Endpoints['createToolImport'], ToolsDeps> = async (call, deps) => {
  const { document, address, ...placed } = call.body;
  if ((document === undefined) === (address === undefined)) return call.fault('', 'Send either document or address.');
  const refused = await findPlaceRefusal(call, placed.environment_id);
  if (refused) return refused;
  // The rest waits for an external server or a document.
  call.onCall();
  if (address === undefined)
    return keepImport(call, deps, { ...placed, pieces: [Buffer.from(document ?? '', 'utf8')], pointer: '/document', origin: 'BODY' });
  return deps.toolImports.fetch(address, call.scope.organization_id, (pieces) =>
    keepImport(call, deps, { ...placed, address, pieces, pointer: '/address', origin: 'ADDRESS' }),
  );
};
