/** One complete HTTP/1.1 response at the start of some bytes. Bodies are measured by content-length only, which all servers here send. */
export type ParsedResponse = { readonly ok: boolean; readonly length: number; readonly headLength: number };

const LENGTH = /\r\ncontent-length: *(\d+)/i;
const OK = 'HTTP/1.1 200 ';

/** Undefined while the response is incomplete. `proof` is contained in the body of a right response. */
export const readAnswer = (bytes: Buffer, proof: Buffer): ParsedResponse | undefined => {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const stated = LENGTH.exec(head)?.[1];
  if (stated === undefined) throw new Error(`an answer without content-length: ${head}`);
  const headLength = headEnd + 4;
  const length = headLength + Number(stated);
  if (bytes.length < length) return undefined;
  if (bytes.length > length) throw new Error('an answer is longer than it says');
  return { ok: head.startsWith(OK) && bytes.indexOf(proof, headLength) >= 0, length, headLength };
};
