import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ToolsDeps } from '../deps.ts';
import { keepImport, placeRefusal } from './arriving/keep-import.ts';

/** Reads a document that stands in the body, or at an address. Nothing is decided meanwhile that waits for it: it is fetched and read aside. */
export const createToolImport: Handler<Endpoints['createToolImport'], ToolsDeps> = async (call, deps) => {
  const { document, address, ...placed } = call.body;
  if ((document === undefined) === (address === undefined)) return call.fault('', 'Send either document or address.');
  const refused = await placeRefusal(call, placed.environment_id);
  if (refused) return refused;
  // What follows waits for a stranger's server, or for a document.
  call.onCall();
  if (address === undefined)
    return keepImport(call, deps, { ...placed, pieces: [Buffer.from(document ?? '', 'utf8')], pointer: '/document', origin: 'BODY' });
  return deps.toolImports.fetch(address, call.scope.organization_id, (pieces) =>
    keepImport(call, deps, { ...placed, address, pieces, pointer: '/address', origin: 'ADDRESS' }),
  );
};
