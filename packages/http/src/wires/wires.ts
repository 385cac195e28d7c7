import type { WireName } from '@svc/contract/rows/wire-name.ts';
import { newA2a } from './a2a.ts';
import { a2aPush } from './a2a-push.ts';
import { authzen } from './authzen.ts';
import { bytes } from './bytes.ts';
import { newDownload } from './download.ts';
import { extAuthz } from './ext-authz.ts';
import { file } from './file.ts';
import { form } from './form.ts';
import { json } from './json.ts';
import { newMcp } from './mcp.ts';
import { page } from './page.ts';
import { postedPage } from './posted-page.ts';
import { rpc } from './rpc.ts';
import { scim } from './scim.ts';
import { newStream } from './stream.ts';
import type { Wire } from './wire.ts';

/** Every wire that a row can name; a missing one does not compile. */
export const WIRES: Readonly<Record<WireName, Wire>> = {
  json,
  stream: newStream(),
  form,
  scim,
  authzen,
  'ext-authz': extAuthz,
  rpc,
  mcp: newMcp(),
  a2a: newA2a(),
  'a2a-push': a2aPush,
  page,
  'posted-page': postedPage,
  bytes,
  download: newDownload(),
  file,
};
